;; Methods of multimethods and implementations of protocols that a file has lost. Neither says where it is from, so it is
;; kept which of them each load has made.
(ns lisp-harbor.withdrawn-methods
  (:require [lisp-harbor.names :as names])
  (:import (clojure.lang MultiFn Var)))

(defonce ^:private made-by
  ;; From the names of namespaces to what loading them made last, as maps from `[var key]` to it.
  (atom {}))

(defn- entries
  "What hangs on `var`: methods by their dispatch values, implementations by their types."
  [^Var var]
  (let [value (.getRawRoot var)]
    (cond
      (instance? MultiFn value) (.getMethodTable ^MultiFn value)
      (and (map? value) (:on-interface value)) (:impls value))))

(defn all-methods []
  (into {} (for [there (all-ns)
                 var (vals (ns-interns there))
                 [key made] (entries var)]
             [[var key] made])))

(defn made-by?
  "Whether loading the namespace called `named` made some the last time."
  [named]
  (boolean (seq (get @made-by named))))

(defn- made-since [before after]
  (into {} (remove (fn [[at made]] (identical? made (get before at)))) after))

(defn lost
  "What loading the namespace called `named` made the last time and not this time, as `[var key]`. `before` is what there
  was before."
  [named before]
  (let [after (all-methods)
        made (made-since before after)
        earlier (get @made-by named)]
    (swap! made-by assoc named made)
    (for [[at method] earlier
          :when (and (not (contains? made at)) (identical? method (get after at)))]
      at)))

(defn take-out
  "Of a var that was taken out itself nothing is left to take."
  [[^Var var key]]
  (let [value (.getRawRoot var)]
    (cond
      (instance? MultiFn value) (remove-method value key)
      (map? value) (do (alter-var-root var update :impls dissoc key)
                       (-reset-methods (.getRawRoot var))))))

(defn describe [[var key]]
  (str (names/qualified-name var) " for " (if (class? key) (.getName ^Class key) (pr-str key))))
