; can all guards of `Recursive` hold together?
(set-info :smt-lib-version 2.6)
(set-info :status unsat)
(set-logic ALL)
(declare-datatypes ((List!1 0)) (
  ((Nil)
   (Cons (Cons.head Int) (Cons.tail List!1)))))
(declare-const l List!1)
(declare-const x Int)
(define-funs-rec (
  (even ((n Int)) Bool)
  (odd ((n!1 Int)) Bool)) (
  (ite (<= n 0) true (odd (+ n (- 1))))
  (ite (<= n!1 0) false (even (+ n!1 (- 1))))))
(define-funs-rec (
  (length ((l!1 List!1)) Int)) (
  (ite ((_ is Nil) l!1) 0 (+ (length (Cons.tail l!1)) 1))))
(define-fun long ((l!2 List!1)) Bool (< 2 (length l!2)))
(define-funs-rec (
  (squares ((l!3 List!1)) Int)
  (t!1 ((l!3 List!1)) Int)) (
  (ite ((_ is Nil) l!3) 0 (ite (< 99 (t!1 l!3)) 99 (t!1 l!3)))
  (+ (* (Cons.head l!3) (Cons.head l!3)) (squares (Cons.tail l!3)))))
(assert (= l (Cons x (Cons x Nil))))
(assert (odd 3))
(assert (or (long l) (= (squares l) 3)))
(check-sat)
