"""Lemma 7.1 d) along whole runs: every epsilon_i tends to 0, client by client (Section 7.2)."""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.limits import refreshed, tends_to
from fedtheory.theory.fedadmm.constants import eps_weight

from ..iterations import EVERY_CLIENT, p_next
from ..lemma4_1.every_m import OF_ACCURACIES, size
from ..whole_runs import SCHEME, UNBOUNDED, runs

ACCURACIES = replace(OF_ACCURACIES, clients_at=("p", "q", "p_next", "q_next"))
ATTAINED = Control("(3.4) may hold with equality", share="9/10")
ANY = replace(UNBOUNDED, given=(), every=())


@claim("fedadmm/eq7.8@client", world=ACCURACIES, control=ATTAINED, step=True, note="(3.4) again.")
def eq7_8_client(x, share=1):
    return le(size(x, x.p_next, x.q_next), share * x.nu * size(x, x.p, x.q)), le(0, size(x, x.p, x.q))


@claim(
    "fedadmm/eq7.8@client-weighed",
    world=ACCURACIES,
    control=ATTAINED,
    step=True,
    note="(3.4) with the weight in (4.4).",
)
def eq7_8_client_weighed(x, share=1):
    weight = eps_weight(x)
    now, after = weight * size(x, x.p, x.q), weight * size(x, x.p_next, x.q_next)
    return le(after, share * x.nu * now), le(0, now)


@claim(
    "fedadmm/eq7.8",
    world=runs("accuracies", "accuracies_chosen", "saved", of=ANY),
    by=(SCHEME, use(eq7_8_client, p_next=p_next)),
    note="Of the sum over the clients, each of which is not negative: so of each client. Client by client: epsilon_i falls to "
    f"nu_i epsilon_i whenever the client is selected, and stays where it is not. {EVERY_CLIENT}",
)
def eq7_8(x):
    return tends_to(x.accuracies, refreshed=refreshed(x.accuracies_chosen, falls_to=x.nu))


@claim(
    "fedadmm/eq7.8@weighed", world=runs("eps", "eps_chosen", "lost", of=ANY), step=True,
    by=(SCHEME, use(eq7_8_client_weighed, p_next=p_next)),
    note=f"With the weights of (4.4), of all clients and of those that are selected. {EVERY_CLIENT}",
)  # fmt: skip
def eq7_8_weighed(x):
    return tends_to(x.eps, refreshed=refreshed(x.eps_chosen, falls_to=x.nu)), tends_to(x.eps_chosen)


@claim(
    "fedadmm/eq7.8@weighed-all", world=runs("eps", "eps_chosen", "lost", of=ANY), by=(SCHEME, eq7_8_weighed), step=True,
    note=f"Of all clients. {EVERY_CLIENT}",
)  # fmt: skip
def eq7_8_weighed_alone(x):
    return tends_to(x.eps)
