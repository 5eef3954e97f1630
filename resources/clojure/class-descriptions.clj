;; Descriptions of classes: records and types with their fields, others with their constructors and
;; public methods.
(ns lisp-harbor.class-descriptions
  (:refer-clojure :exclude [record?])
  (:require [clojure.string :as string]
            [lisp-harbor.places :as places])
  (:import (java.lang.reflect Constructor Executable Method Modifier)))

(defn type-name [^Class type]
  (.getTypeName type))

(defn parameters
  "Returns the parameters of a method or constructor in Clojure notation: `[String int]`."
  [^Executable called]
  (str "[" (string/join " " (map type-name (.getParameterTypes called))) "]"))

(defn in-order
  "Returns methods of one name, or constructors, fewest parameters first. Java returns them in an undefined
  order."
  [overloads]
  (sort-by (juxt #(.getParameterCount ^Executable %) parameters) overloads))

(defn result-type [^Method method]
  (type-name (.getReturnType method)))

(defn- method-text [^Class owner ^Method method]
  (str "(" (if (Modifier/isStatic (.getModifiers method)) (str (.getSimpleName owner) "/") ".")
       (.getName method) " " (parameters method) ") " (result-type method)))

(defn- constructor-text [^Class owner ^Constructor constructor]
  (str "(" (.getSimpleName owner) ". " (parameters constructor) ")"))

(def ^:private most-methods 60)

(defn- methods-of [^Class owner]
  (let [own (filter #(and (Modifier/isPublic (.getModifiers ^Method %)) (not (.isSynthetic ^Method %)))
                    (.getDeclaredMethods owner))]
    (concat (map #(constructor-text owner %) (in-order (.getConstructors owner)))
            (sort (map #(method-text owner %) own)))))

(defn- record? [^Class owner]
  (.isAssignableFrom clojure.lang.IRecord owner))

(defn- basis
  "Returns the fields of a record or a type as declared by `defrecord` and `deftype`, or nil for other classes."
  [^Class owner]
  (when (or (record? owner) (.isAssignableFrom clojure.lang.IType owner))
    (clojure.lang.Reflector/invokeStaticMethod owner "getBasis" (object-array 0))))

(defn- maker
  "Returns the factory function that `defrecord` or `deftype` defines with the class. It has the source
  location."
  [^Class owner]
  (let [there (find-ns (symbol (clojure.lang.Compiler/demunge (.getPackageName owner))))]
    (when there
      (get (ns-interns there) (symbol (str "->" (.getSimpleName owner)))))))

(defn- made-in-clojure [^Class owner kind fields]
  (let [{:keys [file line] :as made} (some-> (maker owner) meta)]
    {:kind kind
     :name (.getName owner)
     :source (places/place file line)
     :code (places/text-from made)
     :slots (for [field fields]
              {:name (str field) :details (if-let [tag (:tag (meta field))] (str "of type " tag) "")})}))

(defn description [^Class owner]
  (let [fields (basis owner)
        methods (when-not fields (methods-of owner))]
    (merge (if fields
             (made-in-clojure owner (if (record? owner) "record" "type") fields)
             {:kind (if (.isInterface owner) "interface" "class")
              :name (.getName owner)
              :methods (for [text (take most-methods methods)] {:text text})
              :total (count methods)})
           {:superclasses (sort (map type-name (bases owner)))})))
