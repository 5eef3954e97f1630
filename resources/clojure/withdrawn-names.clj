;; Names that a namespace has from elsewhere by its own source: aliases, and what it refers to or imports. They are taken
;; from it before it is loaded again, so that it has those which its source still asks for. Names that were typed stay.
(ns lisp-harbor.withdrawn-names
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

(defn strip
  "Takes from the namespace called `named` what its source gave it, as far as that is unchanged. Answers what was `:taken`,
  and what it still has, the `:typed` names."
  [named]
  (if-let [there (find-ns named)]
    (let [has (foreign there)
          taken (into {} (filter (fn [[at value]] (identical? value (get has at)))) (get @given named))]
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
