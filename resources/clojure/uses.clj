;; Uses of a name. Clojure does not record them, so the sources of the loaded namespaces are read
;; form by form in their namespaces. Nothing is evaluated.
(ns lisp-harbor.uses
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.answers :refer [refuse]]
            [lisp-harbor.kinds :as kinds]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places]
            [lisp-harbor.scopes :as scopes])
  (:import (clojure.lang LineNumberingPushbackReader)))

(defn forms-of
  "Returns the forms of the source at `url`, read in the namespace `there`. Ends at the first one that cannot
  be read."
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
  "Returns the loaded namespaces with their sources. Sources in archives are searched only for names defined in
  archives."
  [archives]
  (for [there (all-ns)
        :let [url (some-> (places/namespace-file (ns-name there)) io/resource)]
        :when (and url (or archives (not (in-archive? url))))]
    [there url]))

(defn- definition
  "Returns the qualified name that a top-level form defines, or the namespace that contains the form."
  [there form]
  (let [[operator named] (when (seq? form) form)]
    (if (and (symbol? operator) (symbol? named) (re-find #"^(def|extend)" (name operator)))
      (str (ns-name there) "/" named)
      (str (ns-name there)))))

(defn- without-name
  "Returns a top-level form without the name that it defines, if it is unknown how the macro treats the name."
  [[operator named & others :as form]]
  (if (and (symbol? operator) (symbol? named)
           (string/starts-with? (name operator) "def")
           (not (scopes/known? operator)))
    (with-meta (list* operator others) (meta form))
    form))

(defn- use-of
  "Returns a use of `var`: its kind, and whether its value is used. nil if a method only has the same name."
  [var {:keys [line called quoted method]}]
  (when (or (not method) (:protocol (meta var)))
    {:line line :kind (if called "calls" "references") :value (not (or called quoted))}))

(defn- uses-in
  "Returns the uses of `var` in a form of the namespace `there`. `names` are the symbols that refer to it."
  [form there var names]
  (binding [*ns* there]
    (doall (keep #(when (names (:symbol %)) (use-of var %))
                 (scopes/free (if (seq? form) (without-name form) form))))))

(defn- uses-of
  "Returns the uses of `var` in the source at `url` that are `wanted?`."
  [var wanted? [there url]]
  (let [spelled (memoize (fn [named]
                           (= [[:var var]] (filter (comp #{:var} first) (names/meanings there (str named))))))]
    (for [form (forms-of url there)
          :let [written (filter symbol? (tree-seq coll? seq form))
                names (set (filter spelled written))]
          :when (seq names)
          use (uses-in form there var names)
          :when (wanted? use)]
      {:kind (:kind use)
       :text (definition there form)
       :source {:file (places/path-of url) :line (or (:line use) (:line (meta form)))}})))

(defn- in-force? [{:keys [kind value]}]
  (or (= "calls" kind) value))

(defn places-using
  "Returns where the sources of loaded namespaces that are in files call `var` or use its value."
  [var]
  (mapcat #(uses-of var in-force? %) (sources false)))

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
     :notes ["What was only evaluated, or is made by macros, does not count; locals of macros that are not Clojure's own do."]}))

(defn callers
  "Finds callers, including code that passes the function to other functions: `(map total carts)`."
  [request]
  (found request (fn [var]
                   (let [is-data (kinds/data? (kinds/kind var))]
                     #(or (= "calls" (:kind %)) (and (:value %) (not is-data)))))))

(defn references [request]
  (found request (constantly any?)))
