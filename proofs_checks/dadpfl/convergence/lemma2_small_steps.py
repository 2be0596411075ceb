"""Lemma 2 with the step size limit of the lemmas that use it, which it does not ask for itself: its equations fail there too."""

from dataclasses import replace

from fedtheory import Control, claim, eq

from .lemma2 import CONSTANT, HUBER, QUADRATIC, clipped, sums, with_slope
from .worlds import AT_TWO, SETTING, global_models, local_steps, mean, one_round

SHORT = replace(QUADRATIC, given=(AT_TWO,))
DOUBLED = Control("twice the left side, which is too large or wrong already", share=2)


@claim(
    "dadpfl/eq27@small-steps", world=SHORT, control=DOUBLED, repair="dadpfl/eq27~repaired", note=f"E_l = 3. {SETTING}"
)
def eq27(x, share=1):
    first, second = global_models(x)
    return eq(share * mean(second), first - x.eta * sums(x, first, 0, 4))


@claim("dadpfl/eq34-a@small-steps", world=SHORT, control=DOUBLED, repair="dadpfl/eq36~repaired", step=True,
       note=f"E_l = 3. {SETTING}")  # fmt: skip
def eq34_a(x, share=1):
    return eq(share * global_models(x)[0], x.w - x.ratio(1, 3) * x.eta * 3 * sums(x, x.w, 0, 3))


@claim("dadpfl/eq36@small-steps", world=SHORT, control=DOUBLED, repair="dadpfl/eq36~repaired", step=True,
       note=f"E_l = 3. {SETTING}")  # fmt: skip
def eq36(x, share=1):
    return eq(share * global_models(x)[0], x.w - x.ratio(1, 3) * x.eta * sums(x, x.w, 0, 3))


@claim(
    "dadpfl/eq36@constant",
    world=replace(CONSTANT, given=(AT_TWO,)),
    control=DOUBLED,
    repair="dadpfl/eq36~repaired",
    step=True,
    note="Constant gradients, so that it does not matter at which models g~ has them: linear clients that are alike, K = 3, M = "
    "2, N = M, E_l = 3.",
)
def eq36_constant(x, share=1):
    return eq(share * with_slope(x)[0], x.w - x.ratio(1, 3) * x.eta * 3 * x.g)


@claim(
    "dadpfl/eq38-b@small-steps",
    world=replace(HUBER, given=(AT_TWO,)),
    control=DOUBLED,
    repair="dadpfl/eq38-b~repaired",
    step=True,
    note="The Huber clients of dadpfl/eq38-b.",
)
def eq38_b(x, share=1):
    before, after = one_round(x, [x.w] * 3, slope=lambda w: clipped(x, w))
    return eq(share * mean(after), local_steps(x, mean(before), slope=lambda w: clipped(x, w)))


@claim("dadpfl/eq39@small-steps", world=SHORT, control=DOUBLED, repair="dadpfl/eq39~repaired", step=True,
       note="E_l = 3, M = 2, E_l^* = 4, clients that are alike with f(w) = L w^2/2.")  # fmt: skip
def eq39(x, share=1):
    left = sums(x, x.w, 0, 3) + x.ratio(1, 3) * sums(x, x.w, 3, 3)
    return eq(share * (x.w - x.eta * left), x.w - x.eta * sums(x, x.w, 0, 4))
