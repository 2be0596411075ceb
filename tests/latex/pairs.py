"""Lines of the papers, with their printed conditions, beside the claims that were written by hand."""

import tomllib
from pathlib import Path

PRINTED = {
    row["of"]: row
    for row in tomllib.loads(Path(__file__).with_name("printed.toml").read_text(encoding="utf-8"))["line"]
}
COMPLETE = (
    "fedadmm/thm3.1-proof-s7",
    "pfedme/eq19-c",
    "fedadmm/lemma4.1-proof-s10",
    "fedadmm/eq7.26-a",
)  # with their conditions

PAIRS = [
    ("flame/eq22", r"2\langle\theta_1,\theta_2\rangle \leq k\|\theta_1\|^2+\frac{1}{k}\|\theta_2\|^2", {"where": ["k > 0"]}),
    ("flame/eq23", r"\|\theta_1-\theta_2\|^2 \leq (1+k)\|\theta_1\|^2+(1+\frac{1}{k})\|\theta_2\|^2", {"where": ["k > 0"]}),
    ("flame/eq24", r"\|\sum_{i=1}^{m}\theta_i\|^2 \leq m\sum_{i=1}^{m}\|\theta_i\|^2", {}),
    ("flame/lemma3-proof-s1", r"\|a-b\|^2 = \|a-c\|^2+\langle 2a-b-c,c-b\rangle", {}),
    ("dadpfl/lemma4-proof-s5", r"\Vert a+b+c\Vert ^{2}\leq 3(\Vert a\Vert ^{2}+\Vert b\Vert ^{2}+\Vert c\Vert ^{2})", {}),
    ("dadpfl/eq25", r"\sum_{j=0}^{E-1}A^{j}=\frac{1-A^{E}}{1-A}", {"where": ["A > 1"]}),
    ("pfedme/lemma5-proof-s1-c", r"\frac{1}{2R^2} \leq \frac{1}{2R}", {"where": [r"R \ge 1"]}),
    ("pfedme/lemma5-proof-s3", r"\frac{1+2R}{R} \leq 3", {"where": [r"R \ge 1"]}),
    (
        "pfedme/thm1-proof-s1", r"3\tilde{\eta} + 2/\mu_F \leq 8/\mu_F", 
        {"where": [r"\mu_F, \tilde{\eta} > 0, \tilde{\eta} \le 2/\mu_F"]},
    ),
    ("pfedme/thm1-proof-s3", r"\frac{N/S-1}{N-1} \leq 1", {"where": [r"N \ge 2", r"1 \le S \le N"]}),
    ("pfedme/thm1-proof-s10-c", r"\exp(-1) \leq 1/2", {}),
    ("pfedme/thm2-proof-s2-b", r"1 + \frac{3\beta}{2} \leq 3\beta", {"where": [r"\beta \ge 1"]}),
    (
        "pfedme/thm2-proof-s3-b", r"\frac{L_F}{2}\left(3 + 24L^2 + 72\lambda^2\right) \leq \frac{L_F}{2}\left(75\lambda^2\right)",
        {"where": [r"L, L_F, \lambda > 0", r"\lambda^2 - 8L^2 \ge 1"]},
    ),
    (
        "pfedme/prop2a",
        r"\|\nabla f_i(w) - \nabla f_i(w')\|^2 \leq 2L_F(f_i(w) - f_i(w') - \langle \nabla f_i(w'), w - w' \rangle)",
        {"functions": r"L_F-smooth, \mu_F-strongly convex"},
    ),
    (
        "pfedme/prop2b", r"\mu_F \|w - w'\| \leq \|\nabla f_i(w) - \nabla f_i(w')\|",
        {"functions": r"L_F-smooth, \mu_F-strongly convex"},
    ),
]  # fmt: skip
PAIRS += [
    (id, PRINTED[id]["line"], {name: PRINTED[id][name] for name in ("where", "functions") if name in PRINTED[id]})
    for id in COMPLETE
]
