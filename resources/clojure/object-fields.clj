;; The fields of Java objects as parts. Java shows those of classes that are open to reflection, which its own are not
;; since version 16.
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
  "What a function took along from where it was made."
  [function]
  (parts (remove static? (.getDeclaredFields (class function))) function))

(defn static-fields
  "Those of a class that anybody may read."
  [^Class owner]
  (parts (filter #(and (static? %) (Modifier/isPublic (.getModifiers ^Field %))) (.getFields owner)) nil))

(defn instance-fields
  "Those of its class, and of all that it inherits from."
  [object]
  (parts (remove static?
                 (mapcat #(.getDeclaredFields ^Class %)
                         (take-while some? (iterate #(.getSuperclass ^Class %) (class object)))))
         object))
