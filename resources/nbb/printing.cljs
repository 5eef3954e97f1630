;; Bounded printing of values, including very large and broken ones.
(ns lisp-harbor.printing
  (:require [lisp-harbor.outlines :refer [outline]]))

(defn- pending?
  "Reports whether `value` is an unrealized sequence. `realized?` throws for other types."
  [value]
  (and (seq? value)
       (not (try (realized? value) (catch :default _ true)))))

(defn bounded
  "Returns the printed text of `value`, up to a length. Unrealized lazy sequences stay unrealized."
  ([value]
   (bounded value 2000))
  ([value characters]
   (if (pending? value)
     "(a lazy sequence, not realized)"
     (let [text (outline value)]
       (if (> (count text) characters) (str (subs text 0 characters) " …") text)))))
