(* Written by fedtheory export --coq, for Coq 8.16. *)
From Coq Require Import Reals Lra Lia List Arith.
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
Fixpoint cross (a : R) (u : V) (l : list (R * V)) (s : R) : R :=
  match l with [] => s | (b, w) :: k => 2 * (a * b) * ip u w + cross a u k s end.
Fixpoint square (l : list (R * V)) : R :=
  match l with [] => 0 | (a, u) :: k => a * a * ip u u + cross a u k (square k) end.
Lemma cross_is a u l s : cross a u l s = 2 * ip (scale V a u) (comb l) + s.
Proof.
  induction l as [|[b w] k H]; simpl.
  - rewrite (ip_sym V _ (zero V)), ip_zero. ring.
  - rewrite H, (ip_sym V (scale V a u) (add V _ _)), ip_add.
    rewrite (ip_scale V b w), (ip_sym V w (scale V a u)), (ip_sym V (comb k) (scale V a u)), (ip_scale V a u w). ring.
Qed.
Lemma square_is l : ip (comb l) (comb l) = square l.
Proof.
  induction l as [|[a u] k H]; simpl.
  - apply ip_zero.
  - rewrite cross_is, <- H, ip_add, (ip_sym V _ (add V _ _)), ip_add, (ip_sym V (comb k) (add V _ _)), ip_add.
    rewrite (ip_sym V (comb k) (scale V a u)), ip_scale, (ip_sym V u (scale V a u)), ip_scale. ring.
Qed.
Lemma square_nonneg l : 0 <= square l.
Proof. rewrite <- square_is. apply ip_nonneg. Qed.
End Squares.

(* Affine forms in entries g, and when one less another is a sum of pieces, each a factor times a form. *)
Section Sums.
Variable g : list R.
Notation terms := (list (nat * R)).
Fixpoint more (s : R) (l : terms) : R := match l with [] => s | (k, c) :: t => more (s + c * nth k g 0) t end.
Definition form (l : terms) : R := match l with [] => 0 | (k, c) :: t => more (c * nth k g 0) t end.
Fixpoint sum (l : terms) : R := match l with [] => 0 | (k, c) :: t => c * nth k g 0 + sum t end.
Fixpoint coef (k : nat) (l : terms) : R :=
  match l with [] => 0 | (i, c) :: t => if Nat.eqb i k then c + coef k t else coef k t end.
Fixpoint inside (n : nat) (l : terms) : bool := match l with [] => true | (i, _) :: t => andb (Nat.ltb i n) (inside n t) end.
Fixpoint total (n : nat) (l : terms) : R := match n with O => 0 | S m => total m l + coef m l * nth m g 0 end.
Fixpoint zeros (n : nat) (l : terms) : Prop := match n with O => True | S m => zeros m l /\ coef m l = 0 end.
Lemma more_is l : forall s, more s l = s + sum l.
Proof. induction l as [|[k c] t H]; simpl; intro s; [ring | rewrite H; ring]. Qed.
Lemma form_is l : form l = sum l.
Proof. destruct l as [|[k c] t]; simpl; [ring | apply more_is]. Qed.
Lemma total_cons i c t n : total n ((i, c) :: t) = (if Nat.ltb i n then c * nth i g 0 else 0) + total n t.
Proof.
  induction n as [|m H]; [simpl; ring|].
  change (total m ((i, c) :: t) + coef m ((i, c) :: t) * nth m g 0
    = (if Nat.ltb i (S m) then c * nth i g 0 else 0) + (total m t + coef m t * nth m g 0)).
  rewrite H. simpl coef.
  destruct (Nat.eqb_spec i m) as [D|D], (Nat.ltb_spec i m), (Nat.ltb_spec i (S m)); try lia; try subst i; ring.
Qed.
Lemma total_is n l : inside n l = true -> sum l = total n l.
Proof.
  induction l as [|[i c] t H]; intro E.
  - clear E. induction n as [|m H]; simpl in *; [ring | rewrite <- H; ring].
  - simpl in E. apply andb_prop in E. destruct E as [E F]. rewrite total_cons, E, <- (H F). reflexivity.
Qed.
Lemma zero_is n l : inside n l = true -> zeros n l -> sum l = 0.
Proof.
  intros E Z. rewrite (total_is n l E). clear E. induction n as [|m H]; simpl in *; [ring|].
  destruct Z as [Z F]. rewrite F, (H Z). ring.
Qed.
Fixpoint minus (f : R) (l s : terms) : terms := match l with [] => s | (k, c) :: t => (k, - f * c) :: minus f t s end.
Fixpoint less (l : list (R * terms)) : terms := match l with [] => [] | (f, t) :: k => minus f t (less k) end.
Fixpoint nonneg (l : list (R * terms)) : Prop := match l with [] => True | (f, t) :: k => (0 <= f /\ 0 <= sum t) /\ nonneg k end.
Lemma minus_is f l s : sum (minus f l s) = - f * sum l + sum s.
Proof. induction l as [|[k c] t H]; simpl; [ring | rewrite H; ring]. Qed.
Lemma less_is l : nonneg l -> sum (less l) <= 0.
Proof.
  induction l as [|[f t] k H]; simpl; intro N; [lra|]. destruct N as [[A B] N]. rewrite minus_is.
  pose proof (Rmult_le_pos _ _ A B). pose proof (H N). lra.
Qed.
Lemma app_is l s : sum (l ++ s) = sum l + sum s.
Proof. induction l as [|[k c] t H]; simpl; [ring | rewrite H; ring]. Qed.
Lemma row_is l : 0 <= form l -> 0 <= sum l.
Proof. rewrite form_is. auto. Qed.
Lemma one : 0 <= 1 * 1 + 0.
Proof. lra. Qed.
Definition slack (r l : terms) (p : list (R * terms)) : terms := r ++ minus 1 l (less p).
Lemma slack_is n r l p : inside n (slack r l p) = true -> zeros n (slack r l p) -> form r - form l = - sum (less p).
Proof. intros E Z. pose proof (zero_is n _ E Z) as H. unfold slack in H. rewrite app_is, minus_is in H. rewrite !form_is. lra. Qed.
Lemma le_by n r l p : nonneg p -> inside n (slack r l p) = true -> zeros n (slack r l p) -> form l <= form r.
Proof. intros N E Z. pose proof (less_is p N). pose proof (slack_is n r l p E Z). lra. Qed.
Lemma lt_by n r l f k p : 0 < f -> nth k g 0 = 1 -> nonneg p -> inside n (slack r l ((f, [(k, 1)]) :: p)) = true ->
  zeros n (slack r l ((f, [(k, 1)]) :: p)) -> form l < form r.
Proof.
  intros F K N E Z. pose proof (less_is p N). pose proof (slack_is n r l _ E Z) as H1. simpl in H1. rewrite K in H1. lra.
Qed.
Lemma same_by n r l : inside n (slack r l []) = true -> zeros n (slack r l []) -> form l = form r.
Proof. intros E Z. pose proof (slack_is n r l [] E Z) as H. simpl in H. lra. Qed.
End Sums.

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

(* An identity of fractions, with hypotheses p <> 0 for what is below the lines, or a multiple of it; the sign of a constant. *)
Ltac nonzero := first
  [ assumption
  | match goal with n : ?p <> 0 |- ?q <> 0 => solve [replace q with p by ring; exact n | intro; apply n; lra] end ].
Ltac fractions := field; repeat split; nonzero.
Ltac constant := clear; lra.
