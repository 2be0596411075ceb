"""The certificates of a theorem and of what it stands on, each of which is decided once."""

import json

from fedtheory.referee.composition import _with_its_lemmas, in_order


def file_of(one, known=None):
    """Its certificate after those of its lemmas, in order; every one of them is proved, and the kernel accepts it.

    Parameters
    ----------
    one : Claim
    known : dict, optional
        The entries of what was decided before, by id; those of this claim and of its lemmas are added.
    """
    known = {} if known is None else known
    v = _with_its_lemmas(one, {}, known)
    known[one.id] = {**v.to_json(), "certificate": v.certificate}

    def held(c):
        e = known[c.id]
        assert (e["verdict"], e["trust"]) == ("proved", "kernel"), f"{c.id}: {e['verdict']} {e['trust']} {e['reason']}"
        return {
            c.id: {"id": c.id, "certificate": e["certificate"]},
            **{k: h for l in c.lemmas for k, h in held(l).items()},
        }

    own = held(one)
    return json.loads(json.dumps(in_order([own[one.id]], own)))
