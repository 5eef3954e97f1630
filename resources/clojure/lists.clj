;; Shortened lists in answers. nbb loads this file too.
(ns lisp-harbor.lists
  (:require [clojure.string :as string]))

(defn in-a-row
  "Returns the first `limit` of `texts`, separated by commas, and the number of the others."
  [limit texts]
  (let [more (- (count texts) limit)]
    (str (string/join ", " (take limit texts)) (when (pos? more) (str " and " more " more")))))

(defn likely-first
  "Returns the `names` similar to `wanted`, first those that contain it or that it contains."
  [wanted names]
  (let [bare #(string/lower-case (last (string/split % #"/")))
        asked (bare wanted)]
    (sort-by #(if (or (string/includes? (bare %) asked) (string/includes? asked (bare %))) 0 1) names)))
