;; Bounded printing of values, including very large and broken ones.
(ns lisp-harbor.printing
  (:require [lisp-harbor.outlines :refer [outline]]))

(def ^:private longest 2000)

(defn- cut [text characters]
  (if (<= (count text) characters)
    text
    (str (subs text 0 characters) " …")))

(defn bounded
  "Returns the printed text of `value`, up to a length. Unrealized lazy sequences stay unrealized."
  ([value]
   (bounded value longest))
  ([value characters]
   (if (and (instance? clojure.lang.LazySeq value) (not (realized? value)))
     "(a lazy sequence, not realized)"
     (cut (outline value) characters))))
