"""Controls that several claims have."""

from fedtheory import Control

HALVES = Control("the square of the difference has the weight a half", half=2)
NOT_TWICE = Control("a number that need not be 0 is not twice itself", times=2)
EQUAL_PARTS = {
    1: Control("equal parts attain it", share="9/10"),
    2: Control("equal parts attain it", two="9/5"),
    3: Control("three equal parts attain it", three="5/2"),
}  # by the number in front of the sum of the parts
PLUS, MINUS = (Control("the printed sign", sign=sign) for sign in (1, -1))
USED_UP = {share: Control("a client may use up its accuracy", share=share) for share in ("1/4", "9/10")}
