;; The values that an inspector has shown, by number. Only the latest are kept, so that looking at things does not hold
;; memory for good; all sessions of a server share the table, as they share its
;; vars. nbb loads this file as well.
(ns lisp-harbor.objects
  (:require [lisp-harbor.answers :refer [refuse]]))

(def ^:private most 1000)

(defonce ^:private table (atom {:last 0 :objects (sorted-map)}))

(defn known-number
  "The number of `value` when it has one; the very same value, and not one that is equal to it."
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
  "The value of that number; refuses one that is not kept any more."
  [number]
  (let [found (find (:objects @table) number)]
    (if found
      (val found)
      (refuse "unknown_handle"
              (str "There is no object " number " any more: the latest " most
                   " that were looked at are kept. Evaluate what leads to it and inspect that.")))))
