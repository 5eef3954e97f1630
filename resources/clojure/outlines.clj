;; How a value reads of which not everything can be computed or printed: what can is shown, and in the place of anything else
;; why not. nbb loads this file as well.
(ns lisp-harbor.outlines
  (:require [clojure.string :as string]
            [lisp-harbor.host :refer [attempt class-name]]))

(def ^:private most 20)

(def ^:private deepest 5)

(def ^:private not-computed "#<not computed: ")

(defn computed?
  "Whether all that `outline` shows of a value has been computed, and only some of it not printed."
  [outline]
  (not (string/includes? outline not-computed)))

(defn piecewise
  "Each of `elements` as `attempt` answers it. One that is a problem is the last: without it none behind it is reached."
  [elements]
  (lazy-seq
   (let [{[element others :as found] :value :keys [problem] :as attempted}
         (attempt #(when-let [there (seq elements)] [(first there) (rest there)]))]
     (cond
       problem (list attempted)
       found (cons {:value element} (piecewise others))))))

(defn- delimiters [value]
  (cond
    (record? value) [(str "#" (class-name value) "{") "}"]
    (map? value) ["{" "}"]
    (vector? value) ["[" "]"]
    (set? value) ["#{" "}"]
    :else ["(" ")"]))

(defn- elements-of [value]
  (if (map? value) (lazy-seq (mapcat identity value)) value))

(declare outlined)

(defn- elements-text [value level]
  (let [found (piecewise (elements-of value))
        shown (for [{element :value :keys [problem]} (take most found)]
                (if problem (str not-computed problem ">") (outlined element level)))]
    (string/join " " (concat shown (when (seq (drop most found)) ["..."])))))

(defn- outlined [value level]
  (let [{text :value :keys [problem]} (attempt #(pr-str value))]
    (cond
      (nil? problem) text
      (and (coll? value) (pos? level))
      (let [[open close] (delimiters value)]
        (str open (elements-text value (dec level)) close))
      :else (str "#<" (class-name value) ", not printed: " problem ">"))))

(defn outline
  "How `value` prints, as far as it does."
  [value]
  (binding [*print-length* most *print-level* deepest]
    (outlined value deepest)))
