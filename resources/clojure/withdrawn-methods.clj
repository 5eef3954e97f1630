;; Methods of multimethods and implementations of protocols that a file has lost. Neither says where it is from, so it is
;; kept which of them each load has made.
(ns lisp-harbor.withdrawn-methods
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.names :as names]
            [lisp-harbor.printing :refer [bounded]])
  (:import (clojure.lang MultiFn Var)))

(defonce ^:private made-by
  ;; From files to what loading them made last, as maps from `[var key]` to it.
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

(defn- canonical [file]
  (.getCanonicalPath (io/file file)))

(defn made-by?
  "Whether loading `file` made some the last time."
  [file]
  (boolean (seq (get @made-by (canonical file)))))

(defn- compiled-in?
  "Whether a method or an implementation has a function that was compiled in the namespace called `named`: what was loaded
  meanwhile because it is required has made others."
  [named made]
  (let [prefix (str (munge (str named)) "$")]
    (some #(string/starts-with? (.getName ^Class (class %)) prefix)
          (if (map? made) (vals made) [made]))))

(defn- made-since [before after]
  (into {} (remove (fn [[at made]] (identical? made (get before at)))) after))

(defn describe [[var key]]
  (str (names/qualified-name var) " for " (if (class? key) (.getName ^Class key) (bounded key))))

(defn lost
  "What loading `file`, of the namespace called `named`, made the last time and not this time, as `[var key]`. `before` is
  what there was before. What was made for a class that was made again has its name, and is another."
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
  "Of a var that was taken out itself nothing is left to take."
  [[^Var var key]]
  (let [value (.getRawRoot var)]
    (cond
      (instance? MultiFn value) (remove-method value key)
      (map? value) (do (alter-var-root var update :impls dissoc key)
                       (-reset-methods (.getRawRoot var))))))
