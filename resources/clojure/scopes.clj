;; Finds the symbols of a form that may refer to vars, and distinguishes them from locals. Macros of
;; clojure.core are expanded for it. Other macros stay as written, because the effects of their
;; expansion are unknown.
(ns lisp-harbor.scopes
  (:require [lisp-harbor.host :refer [attempt]]))

(def ^:private as-they-stand
  "Macros that are not expanded: the expansion of some evaluates code or defines classes, and that of others
  shows no further uses."
  '#{case comment definline proxy reify deftype defrecord extend-type extend-protocol defprotocol definterface gen-interface
     gen-class ns import})

(defn- core-macro
  "Returns the name of the macro of clojure.core that a form with this operator calls, otherwise nil."
  [operator locals]
  (when (and (symbol? operator) (not (locals operator)))
    (let [macro (resolve operator)]
      (when (and (var? macro) (:macro (meta macro)) (identical? (the-ns 'clojure.core) (.ns ^clojure.lang.Var macro)))
        (.sym ^clojure.lang.Var macro)))))

(defn known?
  "Reports whether the meaning of the parts of a top-level form with this operator is known."
  [operator]
  (or (special-symbol? operator)
      (some? (core-macro operator #{}))))

(declare seen)

(defn- all [forms at]
  (mapcat #(seen % at) forms))

(defn- quoted [form {:keys [line]}]
  (for [symbol (filter symbol? (tree-seq coll? seq form))]
    {:symbol symbol :line line :quoted true}))

(defn- backquoted
  "Returns the symbols in the reader's expansion of a backquoted symbol, which becomes code. nil for any other
  form."
  [form {:keys [line]}]
  (when (and (seq? form) (= 'quote (first form)) (symbol? (second form)))
    [{:symbol (second form) :line line}]))

(defn- bindings
  "Returns the symbols in alternating names and values, where each name is visible to the following ones, and
  in the body."
  [pairs body at]
  {:pre [(vector? pairs)]}
  (let [inner (reductions (fn [so-far [named]] (update so-far :locals conj named)) at (partition 2 pairs))]
    (concat (mapcat (fn [[_ value] at] (seen value at)) (partition 2 pairs) inner)
            (all body (last inner)))))

(defn- arity [[parameters & body] at]
  {:pre [(vector? parameters)]}
  (all body (update at :locals into (filter symbol? (tree-seq coll? seq parameters)))))

(defn- function [[named & others :as parts] at]
  (cond
    (symbol? named) (recur others (update at :locals conj named))
    (vector? named) (arity parts at)
    :else (mapcat #(arity % at) parts)))

(defn- methods-in
  "Returns the symbols in names of protocols or types and the methods that follow them."
  [parts at]
  (mapcat (fn [part]
            (if (and (seq? part) (symbol? (first part)))
              (cons {:symbol (first part) :line (:line at) :method true}
                    (function (rest part) at))
              (seen part at)))
          parts))

(defn- clauses [value pairs at]
  (concat (seen value at)
          (mapcat (fn [[test result :as pair]]
                    (if (next pair) (concat (quoted test at) (seen result at)) (seen test at)))
                  (partition-all 2 pairs))))

(defn- local-functions [pairs body at]
  {:pre [(vector? pairs)]}
  (let [inner (update at :locals into (take-nth 2 pairs))]
    (concat (all (take-nth 2 (rest pairs)) inner) (all body inner))))

(defn- special
  "Returns the symbols in a form whose parts are not all evaluated as written, or nil for any other form.
  Throws for a form that only looks like one, inside data or the arguments of another macro."
  [operator [one two & others :as parts] {:keys [line] :as at}]
  (case operator
    quote (quoted one at)
    clojure.core/list (when-not (next parts) (backquoted one at))
    comment (quoted parts at)
    var [{:symbol one :line line}]
    def (all (take-last 1 (rest parts)) at)
    (let* loop*) (bindings one (rest parts) at)
    letfn* (local-functions one (rest parts) at)
    fn* (function parts at)
    catch (when (symbol? two) (all others (update at :locals conj two)))
    new (all (rest parts) at)
    . (concat (seen one at) (if (seq? two) (all (rest two) at) (all others at)))
    case (clauses one (rest parts) at)
    definline (arity (drop-while (complement vector?) parts) at)
    (deftype defrecord) (methods-in others (update at :locals into two))
    proxy (concat (all two at) (methods-in others (update at :locals conj 'this)))
    (reify extend-type extend-protocol) (methods-in parts at)
    (defprotocol definterface gen-interface gen-class ns import) ()
    nil))

(defn- ruled
  "Returns `operator` if its arguments need special treatment although it is not a macro, otherwise nil."
  [operator]
  (when (and (symbol? operator) (or (special-symbol? operator) (= 'clojure.core/list operator)))
    operator))

(defn- call [[operator & parts :as form] {:keys [locals] :as at}]
  (let [macro (core-macro operator locals)
        expansion (when (and macro (not (as-they-stand macro))) (:value (attempt #(macroexpand-1 form))))]
    (concat (cond->> (seen operator at) (symbol? operator) (map #(assoc % :called true)))
            (if (some? expansion)
              (seen expansion at)
              (or (:value (attempt #(some-> (special (or macro (ruled operator)) parts at) doall)))
                  (all parts at))))))

(defn- seen [form {:keys [locals line] :as at}]
  (cond
    (symbol? form) (when-not (locals form) [{:symbol form :line line}])
    (seq? form) (when (seq form) (call form (update at :line #(or (:line (meta form)) %))))
    (map? form) (all (mapcat identity form) at)
    (coll? form) (all form at)))

(defn free
  "Returns the symbols in `form` that are not locals, as maps of `:symbol`, `:line`, and whether it is
  `:called`, only `:quoted`, or the name of a `:method`. Includes those of expansions. The form is resolved in
  the current namespace."
  [form]
  (seen form {:locals #{} :line (:line (meta form))}))
