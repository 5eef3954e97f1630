;; Source locations: files, entries of archives, and evaluations of the harbor's history.
(ns lisp-harbor.places
  (:require [clojure.java.io :as io]
            [clojure.string :as string])
  (:import (java.io File LineNumberReader)
           (java.net JarURLConnection URL)))

(defn evaluation-of
  "Returns the number of an evaluation if `file` is the harbor's name for its code, `evaluation 12`."
  [file]
  (when-let [[_ digits] (re-matches #"evaluation (\d{1,15})" file)]
    (Long/parseLong digits)))

(defn url-of
  "Returns the URL of `file`, a path or a name on the classpath, or nil if it does not exist."
  ^URL [^String file]
  (let [on-disk (File. file)]
    (if (.isAbsolute on-disk)
      (when (.isFile on-disk) (io/as-url on-disk))
      (io/resource file))))

(defn path-of
  "Returns the absolute path. For an entry of an archive: the archive's path, `!/` and the entry's."
  [^URL url]
  (case (.getProtocol url)
    "file" (.getPath (io/as-file url))
    "jar" (let [^JarURLConnection entry (.openConnection url)]
            (str (.getPath (io/as-file (.getJarFileURL entry))) "!/" (.getEntryName entry)))
    (str url)))

(defn place
  "Returns the location of `line` in `file`, or nil for code that was typed elsewhere."
  [file line]
  (let [evaluation (some-> file evaluation-of)
        url (when-not evaluation (some-> file url-of))]
    (cond
      evaluation {:evaluation evaluation :line line}
      url {:file (path-of url) :line line})))

(defn var-source
  "Returns the metadata with the location of `var`. A function of a protocol has the location of the protocol."
  [var]
  (let [data (meta var)]
    (if-let [protocol (and (not (:file data)) (:protocol data))]
      (meta protocol)
      data)))

(defn var-place [var]
  (let [{:keys [file line]} (var-source var)]
    (place file line)))

(defn typed?
  "Reports whether the var with the metadata `data` was evaluated and is in no file."
  [{:keys [file]}]
  (boolean (and (string? file)
                (or (evaluation-of file)
                    (#{"NO_SOURCE_PATH" "NO_SOURCE_FILE" "REPL" ""} file)))))

(defn in-archive?
  "Reports whether `file`, that of a var, is in an archive, as those of libraries are."
  [file]
  (= "jar" (some-> ^String file url-of .getProtocol)))

(def ^:private longest-source 20000)

(defn text-from
  "Returns the text of a file from the definition with this metadata on, up to a maximum length that few
  definitions exceed. nil if there is none."
  [{:keys [file line column] :or {column 1}}]
  (when-let [url (and line (some-> file url-of))]
    (with-open [in (LineNumberReader. (io/reader url))]
      (dotimes [_ (dec line)] (.readLine in))
      (.skip in (dec column))
      (let [buffer (char-array longest-source)
            length (.read in buffer)]
        (when (pos? length)
          (String. buffer 0 length))))))

(defn namespace-file
  "Returns the classpath name of the source of a namespace, with either extension, or nil if there is none."
  [namespace-name]
  (let [base (-> (str namespace-name) (string/replace \- \_) (string/replace \. \/))]
    (first (filter io/resource [(str base ".clj") (str base ".cljc")]))))
