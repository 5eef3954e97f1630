;; Descriptions of a name: each definition with arguments, documentation, source location and source
;; text.
(ns lisp-harbor.descriptions
  (:require [clojure.repl]
            [clojure.string :as string]
            [lisp-harbor.class-descriptions :as classes]
            [lisp-harbor.kinds :as kinds]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded]]))

(defn- value-of [^clojure.lang.Var var]
  (if (.hasRoot var)
    {:value (bounded (.getRawRoot var))}
    {:unbound true}))

(defn- protocol-methods [protocol]
  (for [[_ {:keys [name arglists doc]}] (:sigs protocol)]
    {:text (str "(" name " " (string/join " " (map pr-str arglists)) ")") :documentation doc}))

(defn- multimethod-methods [multimethod]
  (for [dispatched (keys (methods multimethod))]
    {:text (bounded dispatched)}))

(defn- parts-of
  "Returns members that only some kinds of var have."
  [kind ^clojure.lang.Var var]
  (let [value (when (.hasRoot var) (.getRawRoot var))]
    (case kind
      "protocol" {:methods (protocol-methods value)
                  :total (count (:sigs value))
                  :subclasses (seq (sort (map #(if (class? %) (.getName ^Class %) "nil") (extenders value))))}
      "multimethod" {:methods (take 100 (multimethod-methods value)) :total (count (methods value))}
      ("variable" "dynamic variable") (value-of var)
      {})))

(defmulti ^:private definition
  "Returns the description of one result of `names/meanings`."
  first)

(defmethod definition :var [[_ var]]
  (let [{:keys [doc tag] :as data} (meta var)
        kind (kinds/kind var)]
    (merge {:kind kind
            :name (names/qualified-name var)
            :arglist (kinds/arglist data)
            :documentation doc
            :source (places/var-place var)
            :type (some-> tag pr-str)
            :marks (seq (kinds/marks data))
            :code (places/text-from (places/var-source var))}
           (parts-of kind var))))

(defmethod definition :special [[_ named]]
  (let [{:keys [doc] :as data} (#'clojure.repl/special-doc named)]
    {:kind "special form" :name named :arglist (kinds/arglist data) :documentation doc}))

(defn- public-name
  "Returns no kind for a var that is only declared."
  [[named ^clojure.lang.Var var]]
  (cond-> {:name named}
    (.hasRoot var) (assoc :kind (kinds/kind var) :arglist (kinds/arglist (meta var)))))

(defn- ours? [there]
  (string/starts-with? (str (ns-name there)) "lisp-harbor."))

(defmethod definition :namespace [[_ there]]
  (let [file (places/namespace-file (ns-name there))]
    {:kind "namespace"
     :name (ns-name there)
     :documentation (:doc (meta there))
     :source (places/place file 1)
     :externals (count (ns-publics there))
     :names (map public-name (take 500 (sort (ns-publics there))))
     :uses (seq (sort (for [[alias target] (ns-aliases there)] (str (ns-name target) " as " alias))))
     :users (seq (sort (for [other (remove ours? (all-ns))
                             :when (some #{there} (vals (ns-aliases other)))]
                         (ns-name other))))}))

(defmethod definition :class [[_ owner]]
  (classes/description owner))

(defmethod definition :static-method [[_ {:keys [owner name methods]}]]
  (let [ordered (classes/in-order methods)]
    {:kind "static method"
     :name (str (.getName ^Class owner) "/" name)
     :arglist (str "(" (string/join " " (map classes/parameters ordered)) ")")
     :type (string/join ", " (distinct (map classes/result-type ordered)))}))

(defmethod definition :static-field [[_ field]]
  {:kind "static field" :name (str field) :type (classes/type-name (.getType ^java.lang.reflect.Field field))})

(defn- status
  "Returns how the name is accessible from the namespace `from`."
  [from [what thing]]
  (case what
    :var (let [{there :ns private :private} (meta thing)]
           (str (if private "private" "public") " in " (some-> there ns-name)
                (when-not (= there from) (str ", seen from " (ns-name from)))))
    :class (str "a class, seen from " (ns-name from))
    :namespace "a namespace"
    :special "of the language"
    (str "of a class, seen from " (ns-name from))))

(defn describe
  "Returns all definitions of `symbol` in the namespace `package`."
  [{:keys [symbol package]}]
  (let [from (names/namespace-called package)
        [meaning :as meanings] (names/known-meanings from symbol)]
    {:symbol symbol
     :status (status from meaning)
     :definitions (map definition meanings)}))
