;; The most recent values passed to tap>, for observers. In an image of the harbor they are kept from
;; before the first evaluation; in an attached server from the time this file is loaded until the
;; last observer of the harbor has left.
(ns lisp-harbor.taps
  (:require [lisp-harbor.objects :refer [number-of]]
            [lisp-harbor.parts :refer [type-name]]
            [lisp-harbor.printing :refer [bounded]]))

(def ^:private most 100)

(def ^:private shown
  "Maximum number of characters of a value that are sent."
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

;; The same function even if this file is loaded repeatedly into a server, because tap> identifies
;; taps by function.
(defonce ^:private keep-tap (fn [value] (swap! table with-tap value)))

(defonce ^:private keeping (add-tap keep-tap))

(defonce ^:private lookers (atom #{}))

(defn- told [[number {:keys [at value]}]]
  {:number number :at at :type (type-name value) :text (bounded value shown) :object (number-of value)})

(defn taps
  "Adds an observer and returns the kept values, newest first."
  [{:keys [by]}]
  (swap! lookers conj by)
  (add-tap keep-tap)
  (mapv told (rseq (:taps @table))))

(defn forget
  "Removes all kept values. Returns their number."
  [_]
  (let [[{:keys [taps]}] (swap-vals! table assoc :taps (sorted-map))]
    (count taps)))

(defn leave
  "Removes an observer. Without observers no values are kept. Returns the number of the remaining ones."
  [{:keys [by]}]
  (let [others (swap! lookers disj by)]
    (when (empty? others)
      (remove-tap keep-tap)
      (forget nil))
    (count others)))
