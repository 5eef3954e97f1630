;; Where things were written: files, entries of archives, and evaluations of the harbor's history.
(ns lisp-harbor.places
  (:require [clojure.java.io :as io]
            [clojure.string :as string])
  (:import (java.io File LineNumberReader)
           (java.net JarURLConnection URL)))

(defn evaluation-of
  "The number of an evaluation when `file` is the name that the harbor gives to its code, `evaluation 12`."
  [file]
  (when-let [[_ digits] (re-matches #"evaluation (\d{1,15})" file)]
    (Long/parseLong digits)))

(defn url-of
  "Where the text of `file` is, which Clojure knows by its path or by its name on the classpath; nil when it is nowhere."
  ^URL [^String file]
  (let [on-disk (File. file)]
    (if (.isAbsolute on-disk)
      (when (.isFile on-disk) (io/as-url on-disk))
      (io/resource file))))

(defn path-of
  "Absolute; of an entry of an archive, the archive's path, `!/` and the entry's."
  [^URL url]
  (case (.getProtocol url)
    "file" (.getPath (io/as-file url))
    "jar" (let [^JarURLConnection entry (.openConnection url)]
            (str (.getPath (io/as-file (.getJarFileURL entry))) "!/" (.getEntryName entry)))
    (str url)))

(defn place
  "Where `line` of `file` is, as the harbor shows it; nil for what was typed elsewhere."
  [file line]
  (let [evaluation (some-> file evaluation-of)
        url (when-not evaluation (some-> file url-of))]
    (cond
      evaluation {:evaluation evaluation :line line}
      url {:file (path-of url) :line line})))

(defn var-source
  "The metadata that says where `var` was defined; a function of a protocol is where the protocol is."
  [var]
  (let [data (meta var)]
    (if-let [protocol (and (not (:file data)) (:protocol data))]
      (meta protocol)
      data)))

(defn var-place [var]
  (let [{:keys [file line]} (var-source var)]
    (place file line)))

(defn typed?
  "Whether what has the metadata `data` was evaluated, and is in no file."
  [{:keys [file]}]
  (boolean (and (string? file)
                (or (evaluation-of file)
                    (#{"NO_SOURCE_PATH" "NO_SOURCE_FILE" "REPL" ""} file)))))

(def ^:private longest-source 20000)

(defn text-from
  "The text of a file from where a definition with this metadata begins, up to a length that few have; nil when there is
  none."
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
  "The name on the classpath of the source of a namespace, by the two endings it may have; nil when there is none."
  [namespace-name]
  (let [base (-> (str namespace-name) (string/replace \- \_) (string/replace \. \/))]
    (first (filter io/resource [(str base ".clj") (str base ".cljc")]))))
