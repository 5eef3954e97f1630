;; The latest values that code has given to tap>, for people who look on. They are kept from the moment this is loaded, in an
;; image of ours before its first evaluation; in a server of others until everybody of ours who looked on has left.
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

;; One function, however often this is loaded into a server: taps go to functions.
(defonce ^:private keep-tap (fn [value] (swap! table with-tap value)))

(defonce ^:private keeping (add-tap keep-tap))

(defonce ^:private lookers (atom #{}))

(defn- told [[number {:keys [at value]}]]
  {:number number :at at :type (type-name value) :text (bounded value shown) :object (number-of value)})

(defn taps
  "The newest first, for who looks on from now on."
  [{:keys [by]}]
  (swap! lookers conj by)
  (add-tap keep-tap)
  (mapv told (rseq (:taps @table))))

(defn forget
  "Lets go of all that are kept; answers how many there were."
  [_]
  (let [[{:keys [taps]}] (swap-vals! table assoc :taps (sorted-map))]
    (count taps)))

(defn leave
  "Once nobody looks on any more nothing of what is tapped is kept; answers how many still do."
  [{:keys [by]}]
  (let [others (swap! lookers disj by)]
    (when (empty? others)
      (remove-tap keep-tap)
      (forget nil))
    (count others)))
