;; Methods of multimethods and protocol implementations that a file no longer contains. Neither
;; records its source, so the ones created by each load are recorded here.
(ns lisp-harbor.withdrawn-methods
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.names :as names]
            [lisp-harbor.printing :refer [bounded]])
  (:import (clojure.lang MultiFn Var)))

(defonce ^:private made-by
  ;; Maps files to what their last load created, as maps from `[var key]` to it.
  (atom {}))

(defn- entries
  "Returns the methods of `var` by dispatch value, or its implementations by type."
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

(defn- canonical [file]
  (.getCanonicalPath (io/file file)))

(defn made-by?
  "Reports whether the last load of `file` created any."
  [file]
  (boolean (seq (get @made-by (canonical file)))))

(defn- compiled-in?
  "Reports whether a method or an implementation has a function compiled in the namespace called `named`.
  Namespaces required by the load have created others."
  [named made]
  (let [prefix (str (munge (str named)) "$")]
    (some #(string/starts-with? (.getName ^Class (class %)) prefix)
          (if (map? made) (vals made) [made]))))

(defn- made-since [before after]
  (into {} (remove (fn [[at made]] (identical? made (get before at)))) after))

(defn describe [[var key]]
  (str (names/qualified-name var) " for " (if (class? key) (.getName ^Class key) (bounded key))))

(defn lost
  "Returns what the previous load of `file`, of the namespace called `named`, created and the current one did not,
  as `[var key]`. `before` is what existed before. A method for a redefined class has the same name but a
  different class."
  [named file before]
  (let [after (all-methods)
        made (into {} (filter #(compiled-in? named (val %))) (made-since before after))
        again (set (map describe (keys made)))
        earlier (get @made-by (canonical file))]
    (swap! made-by assoc (canonical file) made)
    (for [[at method] earlier
          :when (and (identical? method (get after at)) (not (again (describe at))))]
      at)))

(defn take-out
  "Does nothing for a var that was itself removed."
  [[^Var var key]]
  (let [value (.getRawRoot var)]
    (cond
      (instance? MultiFn value) (remove-method value key)
      (map? value) (do (alter-var-root var update :impls dissoc key)
                       (-reset-methods (.getRawRoot var))))))
