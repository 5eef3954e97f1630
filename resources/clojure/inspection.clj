;; The inspector query, and the function that user code calls to set a part. A step of a path is the
;; number or the name of a part, as a previous answer showed it. nbb loads this file too, with its
;; own parts.cljs.
(ns lisp-harbor.inspection
  (:require [lisp-harbor.answers :refer [refuse]]
            [lisp-harbor.elements :refer [fact listed]]
            [lisp-harbor.host :refer [attempt]]
            [lisp-harbor.lists :refer [in-a-row]]
            [lisp-harbor.objects :as objects]
            [lisp-harbor.outlines :refer [piecewise]]
            [lisp-harbor.parts :as parts]
            [lisp-harbor.printing :refer [bounded]]))

(def ^:private usual-limit 50)

(def ^:private searched
  "Maximum number of parts searched by name. A sequence may be infinite."
  10000)

(def ^:private part-characters 300)

(defn- contents-of
  "Returns the contents of a value. If that fails, the contents are the failure."
  [value]
  (let [{contents :value :keys [problem]} (attempt #(parts/contents value))]
    (or contents
        (assoc (listed []) :facts [(fact "problem" problem)]))))

(defn- page
  "Returns at most `limit` parts from number `offset` on. A part that cannot be computed is the last."
  [{:keys [elements part]} offset limit]
  (doall (map-indexed (fn [index {element :value :keys [problem]}]
                        (let [number (+ offset index)]
                          (if problem
                            {:name (str number) :problem problem}
                            (part number element))))
                      (take limit (drop offset (piecewise elements))))))

(defn- part-called [{:keys [kind] :as contents} named]
  (let [found (page contents 0 searched)
        entry (first (keep-indexed #(when (and (contains? %2 :key) (= named (str "key " %1))) %2) found))]
    (or (when entry {:name named :value (:key entry)})
        (first (filter #(= named (:name %)) found))
        (refuse "unknown_part"
                (str "There is no part called " named " in this " kind
                     (if (seq found)
                       (str "; there are " (in-a-row 20 (map :name found)) ".")
                       ", which has no parts."))))))

(defn- part-at [value step]
  (let [contents (assoc (contents-of value) :kind (parts/kind value))]
    (if (string? step)
      (part-called contents step)
      (or (first (page contents step 1))
          (refuse "unknown_part" (str "There is no part " step " in this " (:kind contents) "."))))))

(defn- value-at [value path]
  (reduce (fn [holder step]
            (let [{:keys [problem unbound] :as part} (part-at holder step)]
              (if (or problem unbound)
                (refuse "unknown_part" (str "The part " step " has no value: " (or problem "it is unbound") "."))
                (:value part))))
          value
          path))

(defn- compound?
  "Reports whether the identity of a value is worth showing."
  [value]
  (not (or (nil? value) (number? value) (string? value) (char? value) (boolean? value) (ident? value))))

(defn- shown [index {:keys [name value unbound problem set]}]
  (merge {:index index :name name :settable (when set true)}
         (cond
           problem {:problem problem}
           unbound {:unbound true}
           :else {:type (parts/type-name value)
                  :text (bounded value part-characters)
                  :object (when (compound? value) (objects/known-number value))})))

(defn- length-facts [total end]
  (when-not total
    [{:name "length" :text (str "at least " end ": a sequence is realized and counted no further than it is shown")}]))

(defn- meta-facts [value]
  (when-let [data (not-empty (meta value))]
    [{:name "metadata" :text (bounded data)}]))

(defn- ended
  "Returns the number of elements if they end before `end`, or nil if there are more."
  [elements end]
  (let [counted (count (take (inc end) (piecewise elements)))]
    (when (<= counted end) counted)))

(defn- inspection-of [value offset asked]
  (let [{:keys [elements total facts usual] :as contents} (contents-of value)
        limit (or asked usual usual-limit)
        end (+ offset limit)
        text (bounded value)
        found (page contents offset limit)
        total (or total (ended elements end))]
    {:object (objects/number-of value)
     :kind (parts/kind value)
     :type (parts/type-name value)
     :text text
     :facts (concat facts (length-facts total (inc end)) (meta-facts value))
     :parts (map-indexed #(shown (+ offset %1) %2) found)
     :offset offset
     :total (or total (inc end))}))

(defn inspect
  "Returns the object at `:path` of the object number `:object`, by default of the last value of the session."
  [{:keys [object path offset limit]}]
  (inspection-of (value-at (if object (objects/object object) *1) path) offset limit))

(defn keep-last
  "Returns the number by which the last value of the session can be inspected later."
  [_]
  (objects/number-of *1))

(defn set-part
  "Stores `value` at `path` of the object with that number. Clojure's data is immutable: only references and
  mutable host objects can be set."
  [number path value]
  (let [holder (value-at (objects/object number) (butlast path))
        {change :set} (part-at holder (last path))]
    (when-not change
      (refuse "unknown_part" (str "The part " (last path) " of this " (parts/kind holder)
                                  " cannot be set. Clojure's data does not change: make new data, and put that into the var or the atom that holds it.")))
    (change value)
    value))
