;; Kinds of vars as text, with their arguments and flags.
(ns lisp-harbor.kinds
  (:require [clojure.string :as string]))

(defn- protocol? [value]
  (boolean (and (map? value) (:on-interface value) (:sigs value))))

(defn kind
  "Returns the kind, such as `function`, `macro`, `multimethod`, `protocol`, `variable`."
  [var]
  (let [{:keys [macro arglists] protocol :protocol} (meta var)
        value (when (.hasRoot ^clojure.lang.Var var) (.getRawRoot ^clojure.lang.Var var))]
    (cond
      macro "macro"
      (protocol? value) "protocol"
      protocol "protocol function"
      (instance? clojure.lang.MultiFn value) "multimethod"
      (or arglists (fn? value)) "function"
      (.isDynamic ^clojure.lang.Var var) "dynamic variable"
      :else "variable")))

(def ^:private groups
  {"function" #{"function" "multimethod" "protocol function" "special form" "static method"}
   "macro" #{"macro"}
   "variable" #{"variable" "dynamic variable" "static field"}
   "class" #{"class" "interface" "record" "type" "protocol"}
   "type" #{"record" "type" "protocol"}})

(defn wanted?
  "Reports whether `kind` is in one of `only`, names of groups. nil means all groups."
  [only kind]
  (or (nil? only) (boolean (some #(contains? (get groups %) kind) only))))

(defn data? [kind]
  (contains? #{"variable" "dynamic variable"} kind))

(defn arglist
  "Returns all argument lists, such as `([x] [x & more])`, or nil if it is not callable."
  [{:keys [arglists forms]}]
  (when-let [ways (or forms arglists)]
    (binding [*print-length* nil *print-level* nil]
      (pr-str (if (and (seq? ways) (= 'quote (first ways))) (second ways) ways)))))

(defn marks
  "Returns the flags in the metadata as text."
  [{:keys [private dynamic const deprecated added inline]}]
  (remove nil? [(when private "private")
                (when dynamic "dynamic")
                (when const "constant")
                (when inline "inline")
                (when deprecated (str "deprecated" (when (string? deprecated) (str " since " deprecated))))
                (when (string? added) (str "added in " added))]))

(defn first-line [documentation]
  (when (string? documentation)
    (first (string/split-lines documentation))))
