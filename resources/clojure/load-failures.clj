;; Causes of a failed load of a namespace or a file, as data: the exception, its location in the
;; file, and the text there.
(ns lisp-harbor.load-failures
  (:require [clojure.main :as main]
            [clojure.spec.alpha :as spec]
            [clojure.string :as string]
            [lisp-harbor.conditions :as conditions]
            [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded]]))

(defn- compiler-data
  "Returns the location reported by the compiler and the reader. The innermost exception is the most precise."
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
  "Returns the definition that contains the last of `lines`, as `defn total`. Top-level forms begin in the
  first column."
  [lines]
  (some #(when-let [[_ operator named] (re-find #"^\((\S+)\s+([^\s()\[\]{}]+)" %)] (str operator " " named))
        (reverse lines)))

(defn- place-in-source
  "Returns line and column of the error. For an incomplete form it is the line at which the form begins, not
  the end of the file."
  [{:clojure.error/keys [line column]} message]
  (if-let [[_ begun] (re-find #"^EOF while reading, starting at line (\d+)" message)]
    [(Long/parseLong begun) nil]
    [line column]))

(defn failure
  "Returns the data of an exception thrown during a load. `file` is the loaded file, used if the exception
  names none."
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
