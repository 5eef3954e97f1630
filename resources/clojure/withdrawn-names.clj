;; Names that a namespace takes from others by its source: aliases, refers and imports. They are
;; removed before it is reloaded, so that it has only those in its current source. Names that were
;; typed stay.
(ns lisp-harbor.withdrawn-names
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.uses :as uses])
  (:import (clojure.lang Namespace Var)))

(defonce ^:private given
  ;; Maps names of namespaces to what their load added, as returned by FOREIGN.
  (atom {}))

(def ^:private imported-everywhere
  (let [named (gensym)]
    (try (ns-imports (create-ns named))
         (finally (remove-ns named)))))

(defn- own-or-everywhere? [there named value]
  (if (var? value)
    (contains? #{there (the-ns 'clojure.core)} (.ns ^Var value))
    (identical? value (get imported-everywhere named))))

(defn- foreign
  "Returns the namespace's mappings other than its own vars and the defaults, as pairs `[kind name]` with their
  values."
  [there]
  (merge (into {} (for [[named target] (ns-aliases there)] [[:alias named] target]))
         (into {} (for [[named value] (ns-map there)
                        :when (not (own-or-everywhere? there named value))]
                    [[:mapped named] value]))))

(defn- give [^Namespace there [kind named] value]
  (cond
    (= :alias kind) (.addAlias there named value)
    (class? value) (.importClass there named value)
    :else (.refer there named value)))

(defn- take-from [there [kind named]]
  (if (= :alias kind) (ns-unalias there named) (ns-unmap there named)))

(def ^:private giving '#{require use import refer alias})

(defn- perhaps-given
  "Returns the names added by calls nested in other top-level forms of `file`. Such calls may be conditional,
  for example run only the first time."
  [file there]
  (set (for [form (uses/forms-of (io/as-url (io/file file)) there)
             call (when (coll? form) (mapcat #(tree-seq coll? seq %) form))
             :when (and (seq? call) (giving (first call)))
             given (filter symbol? (tree-seq coll? seq call))]
         (symbol (last (string/split (name given) #"\."))))))

(defn strip
  "Removes from the namespace called `named` the unchanged names that `file`, its source, always adds. Returns
  the removed names as `:taken`, and the remaining ones, the `:typed` names."
  [named file]
  (if-let [there (find-ns named)]
    (let [has (foreign there)
          perhaps (perhaps-given file there)
          taken (into {} (filter (fn [[[_ simple :as at] value]]
                                   (and (identical? value (get has at)) (not (perhaps simple)))))
                      (get @given named))]
      (run! #(take-from there %) (keys taken))
      {:taken taken :typed (apply dissoc has (keys taken))})
    {:taken {} :typed {}}))

(defn restore
  "Restores what `strip` removed after a failed load, unless the load has replaced it."
  [named {:keys [taken]}]
  (when-let [there (find-ns named)]
    (let [has (foreign there)]
      (doseq [[at value] taken :when (not (contains? has at))]
        (give there at value)))))

(defn note-given
  "Records what a load, before which names were removed, has added to the namespace called `named`."
  [named {:keys [typed]}]
  (when-let [there (find-ns named)]
    (swap! given assoc named (into {} (remove (fn [[at value]] (identical? value (get typed at)))) (foreign there)))))
