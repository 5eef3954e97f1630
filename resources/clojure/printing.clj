;; How values are shown: bounded, however large or broken they are.
(ns lisp-harbor.printing
  (:require [lisp-harbor.outlines :refer [outline]]))

(def ^:private longest 2000)

(defn- cut [text characters]
  (if (<= (count text) characters)
    text
    (str (subs text 0 characters) " …")))

(defn bounded
  "How `value` prints, up to a length. A lazy sequence that nobody has asked for yet stays so."
  ([value]
   (bounded value longest))
  ([value characters]
   (if (and (instance? clojure.lang.LazySeq value) (not (realized? value)))
     "(a lazy sequence, not realized)"
     (cut (outline value) characters))))
