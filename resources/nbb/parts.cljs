;; Parts of an nbb value in the inspector: facts as text, and parts, which are values too. Parts are
;; created on demand, so infinite sequences are supported.
(ns lisp-harbor.parts
  (:require [clojure.string :as string]
            [lisp-harbor.elements :refer [fact listed numbered]]
            [lisp-harbor.printing :refer [bounded]]))

(defn- multimethod? [value]
  (and (ifn? value) (not (fn? value))
       (try (some? (methods value)) (catch :default _ false))))

(def ^:private kinds
  "The kinds of values by test, and the type where the constructor name is meaningless: nbb's own are minified.
  The first test that is true applies."
  [[nil? "nil" "nil"]
   [boolean? "boolean"]
   [string? "string"]
   [number? "number"]
   [keyword? "keyword" "cljs.core.Keyword"]
   [symbol? "symbol" "cljs.core.Symbol"]
   [var? "var" "sci.lang.Var"]
   [#(some #{%} (all-ns)) "namespace" "sci.lang.Namespace"]
   [#(instance? js/Error %) "exception"]
   [record? "record"]
   [map? "map" "cljs.core.IMap"]
   [set? "set" "cljs.core.ISet"]
   [vector? "vector" "cljs.core.IVector"]
   [sequential? "sequence" "cljs.core.ISequential"]
   [#(instance? Atom %) "atom" "cljs.core.Atom"]
   [volatile? "volatile" "cljs.core.Volatile"]
   [delay? "delay" "cljs.core.Delay"]
   [fn? "function"]
   [multimethod? "multimethod" "cljs.core.MultiFn"]
   [array? "array"]
   [js/ArrayBuffer.isView "array"]
   [#(instance? js/Map %) "JavaScript map"]
   [#(instance? js/Set %) "JavaScript set"]
   [#(instance? js/Promise %) "promise"]])

(defn- row-of [value]
  (some (fn [[holds? :as row]] (when (holds? value) row)) kinds))

(defn kind [value]
  (nth (row-of value) 1 "object"))

(defn type-name [value]
  (case (kind value)
    "record" (string/replace (first (string/split (pr-str value) #"\{")) "#" "")
    "exception" (if (some? (ex-data value)) "cljs.core.ExceptionInfo" (.-name value))
    (or (nth (row-of value) 2 nil)
        (not-empty (some-> value .-constructor .-name))
        "object")))

(defn- entries
  "Returns contents of keys and values. `change`, if given, stores a new value at a key."
  [pairs total change]
  {:elements pairs
   :total total
   :facts [(fact "count" total) (fact "keys" "the step `key N` of a path leads to the key of entry N")]
   :part (fn [_ [key item]]
           (cond-> {:name (bounded key 200) :key key :value item}
             change (assoc :set #(change key %))))})

(defmulti contents
  "Returns the contents: a map of `:elements`, their `:total`, which is nil while it is unknown, `:part`, a
  function of the number of an element and the element that returns a part, and `:facts`. A part has a `:name`
  and either a `:value`, `:unbound` or a `:problem`. It can be changed if it has `:set`."
  kind)

(defmethod contents :default [_]
  (listed []))

(defmethod contents "string" [text]
  (assoc (numbered text (count text)) :facts [(fact "length" (count text))] :usual 0))

(defmethod contents "map" [value]
  (entries (seq value) (count value) nil))

(defmethod contents "record" [value]
  (entries (seq value) (count value) nil))

(defmethod contents "JavaScript map" [value]
  (entries (map vec (js/Array.from value)) (.-size value) #(.set value %1 %2)))

(defmethod contents "set" [value]
  (assoc (numbered (seq value) (count value)) :facts [(fact "count" (count value))]))

(defmethod contents "JavaScript set" [value]
  (assoc (numbered (js/Array.from value) (.-size value)) :facts [(fact "count" (.-size value))]))

(defmethod contents "vector" [value]
  (assoc (numbered value (count value)) :facts [(fact "length" (count value))]))

(defmethod contents "sequence" [value]
  (numbered value (when (counted? value) (count value))))

(defmethod contents "array" [value]
  {:elements (array-seq value)
   :total (.-length value)
   :facts [(fact "length" (.-length value))]
   :part (fn [index element] {:name (str index) :value element :set #(js/Reflect.set value index %)})})

(defmethod contents "atom" [value]
  (listed [{:name "value" :value @value :set #(reset! value %)}]))

(defmethod contents "volatile" [value]
  (listed [{:name "value" :value @value :set #(vreset! value %)}]))

(defmethod contents "delay" [value]
  (assoc (listed (if (realized? value) [{:name "value" :value @value}] []))
         :facts [(fact "realized" (if (realized? value) "yes" "no, and looking at it does not change that"))]))

(defmethod contents "promise" [_]
  (assoc (listed []) :facts [(fact "value" "JavaScript does not tell; evaluate (.then it …)")]))

(defmethod contents "var" [value]
  (listed [(merge {:name "value" :set #(alter-var-root value (constantly %))}
                  (if (bound? value) {:value @value} {:unbound true}))]))

(defmethod contents "namespace" [value]
  {:elements (sort-by key (ns-interns value))
   :total (count (ns-interns value))
   :part (fn [_ [simple interned]] {:name (str simple) :value interned})})

(defmethod contents "multimethod" [value]
  (listed (for [[dispatched method] (methods value)] {:name (bounded dispatched 200) :value method})))

(defmethod contents "exception" [value]
  (listed (cond-> [{:name "message" :value (ex-message value)}]
            (ex-data value) (conj {:name "data" :value (ex-data value)})
            (ex-cause value) (conj {:name "cause" :value (ex-cause value)})
            true (conj {:name "trace" :value (mapv string/trim (rest (string/split-lines (str (.-stack value)))))}))))

(defn- property
  "Returns a property of a JavaScript object. Getters are not called, because that runs code."
  [value named]
  (let [described (js/Object.getOwnPropertyDescriptor value named)]
    (cond
      (.-get described) {:name named :problem "it is computed by a getter; evaluate it"}
      (.-writable described) {:name named :value (.-value described) :set #(js/Reflect.set value named %)}
      :else {:name named :value (.-value described)})))

(defmethod contents "object" [value]
  (let [names (js/Object.getOwnPropertyNames value)]
    {:elements names :total (count names) :part (fn [_ named] (property value named))}))
