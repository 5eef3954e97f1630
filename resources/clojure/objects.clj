;; Numbered values that the inspector has shown. Only the most recent ones are kept, so that
;; inspection does not leak memory. All sessions of a server share the table, as they share its vars.
;; nbb loads this file too.
(ns lisp-harbor.objects
  (:require [lisp-harbor.answers :refer [refuse]]))

(def ^:private most 1000)

(defonce ^:private table (atom {:last 0 :objects (sorted-map)}))

(defn known-number
  "Returns the number of `value` if it has one. Values are compared by identity."
  [value]
  (some (fn [[number object]] (when (identical? object value) number))
        (:objects @table)))

(defn- without-oldest [objects]
  (if (< most (count objects))
    (dissoc objects (first (keys objects)))
    objects))

(defn- add [{:keys [last objects]} value]
  (let [number (inc last)]
    {:last number :objects (without-oldest (assoc objects number value))}))

(defn number-of [value]
  (or (known-number value)
      (:last (swap! table add value))))

(defn object
  "Returns the value of that number. Throws if it is no longer kept."
  [number]
  (let [found (find (:objects @table) number)]
    (if found
      (val found)
      (refuse "unknown_handle"
              (str "There is no object " number " any more: the latest " most
                   " that were looked at are kept. Evaluate what leads to it and inspect that.")))))
