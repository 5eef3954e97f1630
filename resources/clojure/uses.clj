;; Who uses a name. Clojure keeps no record of it, so the sources of the loaded namespaces are read, form by form, in
;; their namespace; nothing of them is evaluated.
(ns lisp-harbor.uses
  (:require [clojure.java.io :as io]
            [lisp-harbor.answers :refer [refuse]]
            [lisp-harbor.kinds :as kinds]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places])
  (:import (clojure.lang LineNumberingPushbackReader)))

(defn forms-of
  "The forms of the source at `url`, read in the namespace `there`. Ends at the first one that cannot be read."
  [url there]
  (with-open [in (LineNumberingPushbackReader. (io/reader url))]
    (binding [*ns* there
              *read-eval* false
              *default-data-reader-fn* tagged-literal]
      (into [] (take-while some?)
            (repeatedly #(try (read {:read-cond :allow :eof nil} in)
                              (catch RuntimeException _ nil)))))))

(defn- in-archive? [url]
  (= "jar" (.getProtocol ^java.net.URL url)))

(defn- sources
  "Loaded namespaces with where their source is. Those in archives are of interest only to what is in one itself."
  [archives]
  (for [there (all-ns)
        :let [url (some-> (places/namespace-file (ns-name there)) io/resource)]
        :when (and url (or archives (not (in-archive? url))))]
    [there url]))

(def ^:private threading '#{-> ->> some-> some->> cond-> cond->> doto})

(def ^:private pairing
  "Operators whose first vector has names of locals and their values by turns."
  '#{let let* loop loop* for doseq if-let when-let if-some when-some when-first with-open dotimes})

(def ^:private taking
  "Operators with parameters in a vector, or in the lists of several arities."
  '#{fn fn* bound-fn defn defn- defmacro defmethod deftype defrecord})

(defn- patterns
  "What stands in a form of this operator where locals get their names."
  [operator others]
  (let [plain (symbol (name operator))
        parameters #(first (filter vector? %))]
    (cond
      (pairing plain) (take-nth 2 (parameters others))
      (taking plain) (or (parameters others) (keep #(when (seq? %) (parameters %)) others)))))

(defn- means-no-value?
  "Whether a symbol `target?` below such a form can be something else than the value of the var: a local, or a name."
  [operator others target?]
  (and (symbol? operator)
       (or ('#{quote declare} operator)
           (some #(and (symbol? %) (target? %))
                 (tree-seq coll? seq (patterns operator others))))))

(defn- uses-in
  "Where `target?` holds of a symbol below `form`, as maps of line, whether it is called, and whether its value is meant."
  [form target? line]
  (cond
    (symbol? form) (when (target? form) [{:line line :kind "references" :value true}])
    (seq? form)
    (let [here (or (:line (meta form)) line)
          [operator & others] form
          threaded (contains? threading operator)
          no-value (means-no-value? operator others target?)
          calls (when (and (symbol? operator) (target? operator)) [{:line here :kind "calls"}])
          rest-of (mapcat (fn [each]
                            (for [use (uses-in each target? here)]
                              (cond-> use
                                (and threaded (symbol? each)) (assoc :kind "calls")
                                no-value (dissoc :value))))
                          others)]
      (concat calls (when-not (symbol? operator) (uses-in operator target? here)) rest-of))
    (map? form) (mapcat #(uses-in % target? line) (mapcat identity form))
    (coll? form) (mapcat #(uses-in % target? line) form)))

(defn- named-form
  "A top-level form as the name that it defines, qualified, and the form without it."
  [there form]
  (let [[operator named & others] (when (seq? form) form)]
    (if (and (symbol? named) (symbol? operator))
      [(str (ns-name there) "/" named) (with-meta (list* operator others) (meta form))]
      [(str (ns-name there)) form])))

(defn- uses-of
  "Of `var` in the source at `url`, those that are `wanted?`."
  [var wanted? [there url]]
  (let [spelled (fn [named]
                  (= [[:var var]] (filter (comp #{:var} first) (names/meanings there (str named)))))
        known (memoize spelled)]
    (for [form (forms-of url there)
          :when (not (and (seq? form) (= 'ns (first form))))
          :let [[definition body] (named-form there form)]
          use (uses-in body known nil)
          :when (wanted? use)]
      {:kind (:kind use)
       :text definition
       :source {:file (places/path-of url) :line (or (:line use) (:line (meta form)))}})))

(defn places-using
  "Uses of `var` in the sources of the loaded namespaces that are in files."
  [var]
  (mapcat #(uses-of var any? %) (sources false)))

(defn- target [{:keys [query package]}]
  (or (some (fn [[what thing]] (when (= :var what) thing))
            (names/known-meanings (names/namespace-called package) query))
      (refuse "not_supported" (str query " is no var: only uses of vars are looked for."))))

(defn- found [{:keys [limit] :as request} wanted-of]
  (let [var (target request)
        wanted? (wanted-of var)
        url (some-> (places/var-source var) :file places/url-of)
        searched (sources (and url (in-archive? url)))
        uses (distinct (mapcat #(uses-of var wanted? %) searched))]
    {:results (take limit uses)
     :total (count uses)
     :symbol (names/qualified-name var)
     :files (map (comp places/path-of second) searched)
     :notes ["A local with the same name counts as well; what was only evaluated, or is made by macros, does not."]}))

(defn callers
  "Who calls a function also hands it to others who do: `(map total carts)`."
  [request]
  (found request (fn [var]
                   (let [is-data (kinds/data? (kinds/kind var))]
                     #(or (= "calls" (:kind %)) (and (:value %) (not is-data)))))))

(defn references [request]
  (found request (constantly any?)))
