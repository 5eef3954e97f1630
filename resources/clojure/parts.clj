;; Parts of a value in the inspector: facts as text, and parts, which are values too. Parts are
;; created on demand, so infinite sequences are supported.
(ns lisp-harbor.parts
  (:require [lisp-harbor.elements :refer [fact listed numbered]]
            [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.object-fields :as fields]
            [lisp-harbor.printing :refer [bounded]])
  (:import (clojure.lang Agent Atom Delay Fn IDeref IPending IPersistentCollection MultiFn Namespace Ref Var Volatile)
           (java.util Collection List Map Set)
           (java.util.concurrent Future)))

(def ^:private kinds
  "The kinds of values by class. The first class that a value is an instance of applies. nil has its own kind."
  [[Throwable "exception"] [Class "class"] [Namespace "namespace"] [Var "var"]
   [clojure.lang.IRecord "record"] [Map "map"] [Set "set"] [clojure.lang.IPersistentVector "vector"]
   [clojure.lang.ISeq "sequence"] [clojure.lang.LazySeq "sequence"] [Collection "collection"]
   [Atom "atom"] [Ref "ref"] [Agent "agent"] [Volatile "volatile"] [Delay "delay"] [Future "future"]
   [IDeref "reference"] [MultiFn "multimethod"] [Fn "function"]
   [String "string"] [Number "number"] [Character "character"] [Boolean "boolean"]
   [clojure.lang.Keyword "keyword"] [clojure.lang.Symbol "symbol"]])

(defn kind [value]
  (cond
    (nil? value) "nil"
    (.isArray (class value)) "array"
    :else (or (some (fn [[owner named]] (when (instance? owner value) named)) kinds)
              "object")))

(defn type-name [value]
  (if (nil? value) "nil" (.getTypeName (class value))))

(defmulti contents
  "Returns the contents: a map of `:elements`, their `:total`, which is nil while it is unknown, `:part`, a
  function of the number of an element and the element that returns a part, and `:facts`. A part has a `:name`
  and either a `:value`, `:unbound` or a `:problem`. It can be changed if it has `:set`."
  kind)

(defmethod contents :default [_]
  (listed []))

(defmethod contents "string" [text]
  (assoc (numbered text (count text)) :facts [(fact "length" (count text))] :usual 0))

(defn- map-contents [^Map value]
  {:elements (seq value)
   :total (count value)
   :facts [(fact "count" (count value))
           (fact "keys" "the step `key N` of a path leads to the key of entry N")]
   :part (fn [_ [key item]]
           (cond-> {:name (bounded key 200) :key key :value item}
             (not (instance? IPersistentCollection value)) (assoc :set #(.put value key %))))})

(defmethod contents "map" [value] (map-contents value))

(defmethod contents "record" [value] (map-contents value))

(defmethod contents "set" [value]
  (assoc (numbered (seq value) (count value)) :facts [(fact "count" (count value))]))

(defmethod contents "vector" [value]
  (assoc (numbered value (count value)) :facts [(fact "length" (count value))]))

(defmethod contents "sequence" [value]
  (numbered value (when (counted? value) (count value))))

(defmethod contents "collection" [value]
  (let [changes (and (instance? List value) (not (instance? IPersistentCollection value)))
        made (numbered (seq value) (.size ^Collection value))]
    (cond-> (assoc made :facts [(fact "count" (:total made))])
      changes (assoc :part (fn [index element]
                             {:name (str index) :value element :set #(.set ^List value (int index) %)})))))

(defmethod contents "array" [value]
  {:elements (seq value)
   :total (java.lang.reflect.Array/getLength value)
   :facts [(fact "length" (java.lang.reflect.Array/getLength value))]
   :part (fn [index element]
           {:name (str index) :value element :set #(java.lang.reflect.Array/set value index %)})})

;; References.

(defn- held
  "Returns the contents of a reference, without blocking if its value is not available yet."
  [value change]
  (let [there (or (not (instance? IPending value)) (realized? value))]
    (assoc (listed (if there
                     [(cond-> {:name "value" :value (deref value)}
                        change (assoc :set change))]
                     []))
           :facts (when (instance? IPending value)
                    [(fact "realized" (if there "yes" "no, and looking at it does not change that"))]))))

(defn- watched [^clojure.lang.ARef value]
  [(fact "watches" (bounded (keys (.getWatches value))))
   (fact "validator" (if (.getValidator value) "yes" "no"))])

(defmethod contents "atom" [value]
  (assoc (held value #(reset! value %)) :facts (watched value)))

(defmethod contents "ref" [value]
  (assoc (held value #(dosync (ref-set value %))) :facts (watched value)))

(defmethod contents "agent" [value]
  (assoc (held value nil)
         :facts (conj (watched value) (fact "error" (or (some-> (agent-error value) message-of) "none")))))

(defmethod contents "volatile" [value] (held value #(vreset! value %)))

(defmethod contents "delay" [value] (held value nil))

(defmethod contents "future" [value] (held value nil))

(defmethod contents "reference" [value] (held value nil))

(defmethod contents "var" [^Var value]
  (let [root (cond-> {:name "value" :set #(alter-var-root value (constantly %))}
               (.hasRoot value) (assoc :value (.getRawRoot value))
               (not (.hasRoot value)) (assoc :unbound true))]
    (assoc (listed (cond-> [root]
                     (thread-bound? value) (conj {:name "value in this session" :value (deref value)})))
           :facts [(fact "dynamic" (if (.isDynamic value) "yes" "no"))])))

;; Namespaces, vars, functions and Java objects.

(defmethod contents "namespace" [value]
  {:elements (sort-by key (ns-interns value))
   :total (count (ns-interns value))
   :facts [(fact "aliases" (bounded (into (sorted-map) (for [[alias target] (ns-aliases value)] [alias (ns-name target)]))))]
   :part (fn [_ [simple interned]] {:name (str simple) :value interned})})

(defmethod contents "multimethod" [^MultiFn value]
  (assoc (listed (cons {:name "dispatch function" :value (.dispatchFn value)}
                       (for [[dispatched method] (methods value)] {:name (bounded dispatched 200) :value method})))
         :facts [(fact "default" (bounded (.defaultDispatchVal value)))]))

(defmethod contents "function" [value]
  (assoc (listed (fields/closed-over value))
         :facts [(fact "function" (clojure.lang.Compiler/demunge (.getName (class value))))]))

(defmethod contents "exception" [^Throwable value]
  (let [suppressed (vec (.getSuppressed value))]
    (listed (cond-> [{:name "message" :value (message-of value)}]
              (ex-data value) (conj {:name "data" :value (ex-data value)})
              (.getCause value) (conj {:name "cause" :value (.getCause value)})
              (seq suppressed) (conj {:name "suppressed" :value suppressed})
              true (conj {:name "trace" :value (mapv StackTraceElement->vec (.getStackTrace value))})))))

(defmethod contents "class" [^Class value]
  (assoc (listed (fields/static-fields value))
         :facts [(fact "superclass" (or (some-> (.getSuperclass value) .getName) "none"))
                 (fact "interfaces" (bounded (mapv #(.getName ^Class %) (.getInterfaces value))))]))

(defmethod contents "object" [value]
  (assoc (listed (fields/instance-fields value))
         :facts [(fact "superclasses" (bounded (mapv #(.getName ^Class %) (take-while some? (iterate #(.getSuperclass ^Class %) (.getSuperclass (class value)))))))]))
