;; Why a namespace or a file could not be loaded, as data: what was thrown, where in which file, and what stands there.
(ns lisp-harbor.load-failures
  (:require [clojure.main :as main]
            [clojure.spec.alpha :as spec]
            [clojure.string :as string]
            [lisp-harbor.conditions :as conditions]
            [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded]]))

(defn- compiler-data
  "What the compiler and the reader say of the place; the innermost knows best."
  [causes]
  (apply merge (for [data (keep ex-data causes)]
                 (into {} (filter #(and (= "clojure.error" (namespace (key %))) (some? (val %))))
                       (select-keys data [:clojure.error/line :clojure.error/column :clojure.error/source])))))

(defn- message [error ^Throwable root]
  (let [data (ex-data root)]
    (cond
      (::spec/problems data) (string/trim (main/ex-str (main/ex-triage (Throwable->map error))))
      (and (seq data) (not-any? #(= "clojure.error" (some-> % namespace)) (filter keyword? (keys data))))
      (str (message-of root) " " (bounded data))
      :else (str (message-of root)))))

(defn- definition-at
  "The definition that the last of `lines` is in, as `defn total`: top-level forms begin in the first column."
  [lines]
  (some #(when-let [[_ operator named] (re-find #"^\((\S+)\s+([^\s()\[\]{}]+)" %)] (str operator " " named))
        (reverse lines)))

(defn- place-in-source
  "Line and column of what went wrong; of a form that does not end, the line where it begins, not that of the end."
  [{:clojure.error/keys [line column]} message]
  (if-let [[_ begun] (re-find #"^EOF while reading, starting at line (\d+)" message)]
    [(Long/parseLong begun) nil]
    [line column]))

(defn failure
  "Of an exception that loading has thrown. `file` is the one that was asked for, where the exception names none."
  [^Throwable error file]
  (let [causes (conditions/causes error)
        ^Throwable root (last causes)
        {:clojure.error/keys [source] :as data} (compiler-data causes)
        told (message error root)
        [line column] (place-in-source data told)
        url (some-> (or source file) places/url-of)
        lines (when (and url line) (take line (string/split-lines (slurp url))))]
    {:type (.getName (class root))
     :message told
     :file (or (some-> url places/path-of) source file)
     :line line
     :column column
     :source (some-> (last lines) string/trim not-empty)
     :context (definition-at lines)}))
