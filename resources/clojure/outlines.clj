;; Text of a value that cannot be computed or printed completely: each failing part is replaced by
;; the reason. nbb loads this file too.
(ns lisp-harbor.outlines
  (:require [clojure.string :as string]
            [lisp-harbor.host :refer [attempt class-name]]))

(def ^:private most 20)

(def ^:private deepest 5)

(def ^:private not-computed "#<not computed: ")

(defn computed?
  "Reports whether all parts of a value that `outline` shows were computed, and only printing failed for some."
  [outline]
  (not (string/includes? outline not-computed)))

(defn piecewise
  "Returns the result of `attempt` for each of `elements`. A failed one is the last, because later ones are
  unreachable without it."
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
  "Returns the printed text of `value`, as far as it can be printed."
  [value]
  (binding [*print-length* most *print-level* deepest]
    (outlined value deepest)))
