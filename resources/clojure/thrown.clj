;; The exception that the last failed evaluation of a session ended with, for who looks at it: each cause with its data
;; and its stack, all of it values that can be inspected, and the text that a frame of it stands in.
(ns lisp-harbor.thrown
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.answers :refer [refuse]]
            [lisp-harbor.conditions :as conditions]
            [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.objects :as objects]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded]]))

(def ^:private most-data 50)

(def ^:private most-frames 200)

(defn- datum
  "An entry of the data by its number among the parts of the data, as an inspector counts them."
  [index [key value]]
  {:index index :name (bounded key 200) :text (bounded value 300)})

(defn- stack [^Throwable error]
  (vec (.getStackTrace error)))

(defn- same-call?
  "Whether `outer` only hands a call of a function on to `inner`, the frame within it."
  [^StackTraceElement inner ^StackTraceElement outer]
  (and (= (.getClassName inner) (.getClassName outer))
       (= "invokeStatic" (.getMethodName inner))
       (#{"invoke" "doInvoke"} (.getMethodName outer))))

(defn- calls
  "The frames of a stack with their numbers in it; one call of a function is several of the JVM."
  [frames]
  (keep-indexed (fn [index [inner outer]]
                  (when-not (and inner (same-call? inner outer))
                    (assoc (conditions/frame outer) :index index)))
                (map vector (cons nil frames) frames)))

(defn- told [^Throwable error]
  (let [frames (stack error)]
    {:object (objects/number-of error)
     :type (.getName (class error))
     :message (message-of error)
     :data (map-indexed datum (take most-data (ex-data error)))
     :entries (count (ex-data error))
     :frames (calls (take most-frames frames))
     :more (max 0 (- (count frames) most-frames))}))

(defn causes
  "What the last failed evaluation has thrown, the outermost exception first; empty when nothing was."
  [_]
  (map told (conditions/causes *e)))

;; Where a frame is.

(defn- file-of-var
  "The file of the var of that function, which its metadata says in full."
  [function]
  (let [[named in] (map symbol (reverse (string/split function #"/")))]
    (when-let [space (some-> in find-ns)]
      (:file (meta (get (ns-interns space) named))))))

(defn- files-of-class
  "Files of the namespaces that a class may be from: one of a function is named after both, a record's is in its namespace."
  [^String class-name]
  (let [owner (first (string/split class-name #"\$"))
        around (string/join "." (butlast (string/split owner #"\.")))]
    (keep places/namespace-file [owner around])))

(defn- file-of
  "The file that a frame is in, by its name on the classpath, its path, or the harbor's name of an evaluation. A frame of what
  was typed does not say of which, but the var of its function does; the form itself is that of `evaluation`."
  [^StackTraceElement element evaluation]
  (let [{:keys [function]} (conditions/frame element)
        of-var (file-of-var function)
        is-named #(= (.getFileName element) (last (string/split % #"/")))
        files (filter some? (cons of-var (files-of-class (.getClassName element))))]
    (or (first (filter is-named files))
        (when (some-> of-var places/evaluation-of) of-var)
        (when (re-find #"/eval\d+$" function) (str "evaluation " evaluation)))))

(defn- first-line
  "Of the top-level form that `line` of a text is in, as people write them: it begins in the first column."
  [url line]
  (with-open [in (io/reader url)]
    (->> (line-seq in)
         (take line)
         (keep-indexed #(when (string/starts-with? %2 "(") (inc %1)))
         last)))

(defn source
  "Where the frame number `:frame` of the cause number `:cause` of `:evaluation` is: a line of an evaluation, or of a file with the text from the
  beginning of its top-level form on; nil where none is known."
  [{:keys [evaluation cause frame]}]
  (let [error (or (nth (conditions/causes *e) cause nil) (refuse "unknown_handle" "There is no such cause any more."))
        ^StackTraceElement element (or (nth (stack error) frame nil) (refuse "unknown_part" "There is no such frame."))
        line (.getLineNumber element)
        file (when (pos? line) (file-of element evaluation))
        place (places/place file line)]
    (if-let [start (and (:file place) (first-line (places/url-of file) line))]
      (assoc place :start start :text (places/text-from {:file file :line start}))
      place)))
