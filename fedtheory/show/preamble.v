(* Written by fedtheory export --coq, for Coq 8.16. *)
From Coq Require Import Reals Lra List.
Import ListNotations.
Open Scope R_scope.

(* An abstract real inner-product space: what the certificates use of one. *)
Record space := {
  vec :> Type;
  add : vec -> vec -> vec;
  scale : R -> vec -> vec;
  zero : vec;
  ip : vec -> vec -> R;
  ip_sym : forall u w, ip u w = ip w u;
  ip_add : forall u w x, ip (add u w) x = ip u x + ip w x;
  ip_scale : forall a u x, ip (scale a u) x = a * ip u x;
  ip_zero : forall x, ip zero x = 0;
  ip_nonneg : forall u, 0 <= ip u u
}.
Arguments ip {s}.

(* The real numbers are one. *)
Definition line : space.
Proof. refine (Build_space R Rplus Rmult 0 Rmult _ _ _ _ _); intros; try ring. apply Rle_0_sqr. Defined.

(* |a u + b w + ...|^2 by the inner products of u, w, ... *)
Section Squares.
Variable V : space.
Fixpoint comb (l : list (R * V)) : V :=
  match l with [] => zero V | (a, u) :: k => add V (scale V a u) (comb k) end.
Fixpoint cross (a : R) (u : V) (l : list (R * V)) : R :=
  match l with [] => 0 | (b, w) :: k => 2 * (a * b) * ip u w + cross a u k end.
Fixpoint square (l : list (R * V)) : R :=
  match l with [] => 0 | (a, u) :: k => a * a * ip u u + cross a u k + square k end.
Lemma cross_is a u l : 2 * ip (scale V a u) (comb l) = cross a u l.
Proof.
  induction l as [|[b w] k H]; simpl.
  - rewrite ip_sym, ip_zero. ring.
  - rewrite <- H, ip_sym, ip_add, ip_scale, (ip_sym V w), ip_scale, (ip_sym V (comb k)). ring.
Qed.
Lemma square_is l : ip (comb l) (comb l) = square l.
Proof.
  induction l as [|[a u] k H]; simpl.
  - apply ip_zero.
  - rewrite <- H, <- cross_is, ip_add, (ip_sym V _ (add V _ _)), ip_add, (ip_sym V (comb k) (add V _ _)), ip_add.
    rewrite (ip_sym V (comb k) (scale V a u)), ip_scale, (ip_sym V u (scale V a u)), ip_scale. ring.
Qed.
Lemma square_nonneg l : 0 <= square l.
Proof. rewrite <- square_is. apply ip_nonneg. Qed.
End Squares.

(* Steps of the proofs. *)
Lemma gt_by p : (0 <= - p -> False) -> 0 < p.
Proof. intro H. destruct (Rlt_le_dec 0 p); [assumption | exfalso; apply H; lra]. Qed.
Lemma ge_by p : (0 < - p -> False) -> 0 <= p.
Proof. intro H. destruct (Rle_lt_dec 0 p); [assumption | exfalso; apply H; lra]. Qed.
Lemma eq_by p : (p <> 0 -> False) -> p = 0.
Proof. intro H. destruct (Req_dec p 0); [assumption | exfalso; auto]. Qed.
Lemma ne_by p : (p = 0 -> False) -> p <> 0.
Proof. auto. Qed.
Lemma even_pos x n : x <> 0 -> 0 < x ^ (2 * n).
Proof. intro H. rewrite pow_mult. apply pow_lt. rewrite <- Rsqr_pow2. apply Rsqr_pos_lt. exact H. Qed.
Lemma pos_ne x : 0 < x -> x <> 0.
Proof. lra. Qed.
Lemma zero_le x : x = 0 -> 0 <= x.
Proof. lra. Qed.
Lemma cannot s : 0 < s -> s = 0 -> False.
Proof. lra. Qed.
Lemma none_by c g s : c = 0 -> s = 0 -> c * g + s = 0.
Proof. intros -> ->. ring. Qed.
Lemma le_by l r s : 0 <= s -> r - l = s -> l <= r.
Proof. lra. Qed.
Lemma lt_by l r s : 0 < s -> r - l = s -> l < r.
Proof. lra. Qed.
Lemma same_by l r s : s = 0 -> r - l = s -> l = r.
Proof. lra. Qed.

(* An identity of fractions, with hypotheses p <> 0 for what is below the lines; the sign of a constant. *)
Ltac nonzero := first [assumption | match goal with n : ?p <> 0 |- ?q <> 0 => solve [replace q with p by ring; exact n] end].
Ltac fractions := field; repeat split; nonzero.
Ltac constant := clear; lra.
