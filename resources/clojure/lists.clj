;; Lists in what is told. nbb loads this file as well.
(ns lisp-harbor.lists
  (:require [clojure.string :as string]))

(defn in-a-row
  "The first `limit` of `texts` as a sentence has them, and how many there are beside."
  [limit texts]
  (let [more (- (count texts) limit)]
    (str (string/join ", " (take limit texts)) (when (pos? more) (str " and " more " more")))))

(defn likely-first
  "`names` of which one may have been meant by `wanted`: those first that have it in them, or are in it."
  [wanted names]
  (let [bare #(string/lower-case (last (string/split % #"/")))
        asked (bare wanted)]
    (sort-by #(if (or (string/includes? (bare %) asked) (string/includes? asked (bare %))) 0 1) names)))
