;; The fields of Java objects as parts. Only classes open to reflection are accessible. Java's own
;; classes are not since version 16.
(ns lisp-harbor.object-fields
  (:import (java.lang.reflect Field Modifier)))

(defn- static? [^Field field]
  (Modifier/isStatic (.getModifiers field)))

(defn- value-of [^Field field owner]
  (try (.setAccessible field true)
       {:value (.get field owner)}
       (catch RuntimeException _
         {:problem "Java does not open this class to reflection; evaluate a method of it."})))

(defn- part [^Field field owner]
  (let [found (value-of field owner)
        changes (and (contains? found :value) (not (Modifier/isFinal (.getModifiers field))))]
    (cond-> (assoc found :name (.getName field))
      changes (assoc :set #(.set field owner %)))))

(defn- parts [fields owner]
  (mapv #(part % owner) (sort-by #(.getName ^Field %) fields)))

(defn closed-over
  "Returns the variables that a function has closed over."
  [function]
  (parts (remove static? (.getDeclaredFields (class function))) function))

(defn static-fields
  "Returns the public fields of a class."
  [^Class owner]
  (parts (filter #(and (static? %) (Modifier/isPublic (.getModifiers ^Field %))) (.getFields owner)) nil))

(defn instance-fields
  "Returns the fields of its class and of all superclasses."
  [object]
  (parts (remove static?
                 (mapcat #(.getDeclaredFields ^Class %)
                         (take-while some? (iterate #(.getSuperclass ^Class %) (class object)))))
         object))
