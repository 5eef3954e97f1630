;; Completions of a prefix in a namespace: vars, aliases, namespaces, classes and their static
;; members, special forms. `m-v-b` matches `my-very-big`.
(ns lisp-harbor.completions
  (:require [clojure.string :as string]
            [lisp-harbor.kinds :as kinds]
            [lisp-harbor.names :as names])
  (:import (java.lang.reflect Member Modifier)
           (java.util.regex Pattern)))

(defn- abbreviation
  "Returns a pattern for names whose words begin with the words of `text`."
  [text]
  (re-pattern (str "^" (string/join "[^-]*-" (map #(Pattern/quote %) (string/split text #"-" -1))))))

(defn- kind-of [thing]
  (cond
    (var? thing) (kinds/kind thing)
    (class? thing) "class"
    :else "name"))

(defn- candidates
  "Returns the completions from a map of symbols to their values. `before` is put in front of each."
  [things before typed]
  (let [pattern (abbreviation typed)]
    (for [[simple thing] things
          :when (re-find pattern (str simple))]
      {:text (str before simple)
       :kind (kind-of thing)
       :arglist (when (var? thing) (kinds/arglist (meta thing)))})))

(defn- static-members [^Class owner before typed]
  (for [member-name (distinct (for [^Member member (concat (.getMethods owner) (.getFields owner))
                                    :when (Modifier/isStatic (.getModifiers member))]
                                (.getName member)))
        :when (string/starts-with? member-name typed)]
    {:text (str before member-name) :kind "static member"}))

(defn- behind-a-slash [from prefix typed]
  (let [before (str prefix "/")
        named (symbol prefix)
        there (or (get (ns-aliases from) named) (find-ns named))
        mapped (get (ns-map from) named)]
    (cond
      there (candidates (ns-publics there) before typed)
      (class? mapped) (static-members mapped before typed))))

(defn- named-names [names kind typed]
  (for [found names
        :when (string/starts-with? (str found) typed)]
    {:text (str found) :kind kind}))

(defn- plain [from typed]
  (concat (candidates (ns-map from) "" typed)
          (named-names (keys (. clojure.lang.Compiler specials)) "special form" typed)
          (named-names (keys (ns-aliases from)) "alias" typed)
          (named-names (map ns-name (all-ns)) "namespace" typed)))

(defn completions [{:keys [query package limit]}]
  (let [from (names/namespace-called package)
        [_ prefix typed] (re-matches #"(?s)([^/]+)/(.*)" query)
        found (if prefix (behind-a-slash from prefix typed) (plain from query))]
    {:results (take limit (sort-by (juxt (comp count :text) :text) found))
     :total (count found)}))
