;; The latest values that code has given to tap>, for people who look on. They are kept from the moment this is loaded: in an
;; image of ours before its first evaluation.
(ns lisp-harbor.taps
  (:require [lisp-harbor.objects :refer [number-of]]
            [lisp-harbor.parts :refer [type-name]]
            [lisp-harbor.printing :refer [bounded]]))

(def ^:private most 100)

(def ^:private shown
  "How many characters of a value are told."
  300)

(defonce ^:private table (atom {:last 0 :taps (sorted-map)}))

(defn- without-oldest [taps]
  (if (< most (count taps))
    (dissoc taps (first (keys taps)))
    taps))

(defn- with-tap [{:keys [last taps]} value]
  (let [number (inc last)]
    {:last number
     :taps (without-oldest (assoc taps number {:at (System/currentTimeMillis) :value value}))}))

(defn- keep-tap [value]
  (swap! table with-tap value))

(defonce ^:private keeping (add-tap keep-tap))

(defn- told [[number {:keys [at value]}]]
  {:number number :at at :type (type-name value) :text (bounded value shown) :object (number-of value)})

(defn taps
  "The newest first."
  [_]
  (mapv told (rseq (:taps @table))))

(defn forget
  "Lets go of all that are kept; answers how many there were."
  [_]
  (let [[{:keys [taps]}] (swap-vals! table assoc :taps (sorted-map))]
    (count taps)))
