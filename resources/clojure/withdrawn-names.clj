;; Names that a namespace has from elsewhere by its own source: aliases, and what it refers to or imports. They are taken
;; from it before it is loaded again, so that it has those which its source still asks for. Names that were typed stay.
(ns lisp-harbor.withdrawn-names
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.uses :as uses])
  (:import (clojure.lang Namespace Var)))

(defonce ^:private given
  ;; From the names of namespaces to what loading them gave them, as FOREIGN answers it.
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
  "What the namespace has beside its own vars and what every namespace has, as pairs `[kind name]` with what they stand for."
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
  "The names that calls inside of other top-level forms of `file` give: those may depend on a condition, such as that it is
  the first time."
  [file there]
  (set (for [form (uses/forms-of (io/as-url (io/file file)) there)
             call (when (coll? form) (mapcat #(tree-seq coll? seq %) form))
             :when (and (seq? call) (giving (first call)))
             given (filter symbol? (tree-seq coll? seq call))]
         (symbol (last (string/split (name given) #"\."))))))

(defn strip
  "Takes from the namespace called `named` what `file`, its source, gave it in any case, as far as that is unchanged. Answers
  what was `:taken`, and what it still has, the `:typed` names."
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
  "Gives back what `strip` took, where a load that failed has not put something in its place."
  [named {:keys [taken]}]
  (when-let [there (find-ns named)]
    (let [has (foreign there)]
      (doseq [[at value] taken :when (not (contains? has at))]
        (give there at value)))))

(defn note-given
  "Keeps what a load, before which names were stripped, has given to the namespace called `named`."
  [named {:keys [typed]}]
  (when-let [there (find-ns named)]
    (swap! given assoc named (into {} (remove (fn [[at value]] (identical? value (get typed at)))) (foreign there)))))
