;; The exception that ended the last failed evaluation of a session, for the debugger: each cause
;; with its data and its stack, as values that can be inspected, and the source text of a frame.
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
  "Returns an entry of the data by its number among the parts of the data, as in the inspector."
  [index [key value]]
  {:index index :name (bounded key 200) :text (bounded value 300)})

(defn- stack [^Throwable error]
  (vec (.getStackTrace error)))

(defn- same-call?
  "Reports whether `outer` only forwards a function call to `inner`, the frame called by it."
  [^StackTraceElement inner ^StackTraceElement outer]
  (and (= (.getClassName inner) (.getClassName outer))
       (= "invokeStatic" (.getMethodName inner))
       (#{"invoke" "doInvoke"} (.getMethodName outer))))

(defn- calls
  "Returns the frames of a stack with their numbers. One function call may be several JVM frames."
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
  "Returns the exception of the last failed evaluation with its causes, the outermost first. Empty if there is
  none."
  [_]
  (map told (conditions/causes *e)))

;; Location of a frame.

(defn- file-of-var
  "Returns the full file name of the var of that function, from its metadata."
  [function]
  (let [[named in] (map symbol (reverse (string/split function #"/")))]
    (when-let [space (some-> in find-ns)]
      (:file (meta (get (ns-interns space) named))))))

(defn- files-of-class
  "Returns the files of the namespaces that may contain a class. The class name of a function contains the
  namespace; a record's class is in its namespace."
  [^String class-name]
  (let [owner (first (string/split class-name #"\$"))
        around (string/join "." (butlast (string/split owner #"\.")))]
    (keep places/namespace-file [owner around])))

(defn- file-of
  "Returns the file of a frame: its classpath name, its path, or the harbor's name of an evaluation. The frame
  of a function that was typed does not name its evaluation, but the function's var does. The form itself
  belongs to `evaluation`."
  [^StackTraceElement element evaluation]
  (let [{:keys [function]} (conditions/frame element)
        of-var (file-of-var function)
        is-named #(= (.getFileName element) (last (string/split % #"/")))
        files (filter some? (cons of-var (files-of-class (.getClassName element))))]
    (or (first (filter is-named files))
        (when (some-> of-var places/evaluation-of) of-var)
        (when (re-find #"/eval\d+$" function) (str "evaluation " evaluation)))))

(defn- first-line
  "Returns the start of the top-level form that contains `line` of a text. It is assumed to begin in the first
  column."
  [url line]
  (with-open [in (io/reader url)]
    (->> (line-seq in)
         (take line)
         (keep-indexed #(when (string/starts-with? %2 "(") (inc %1)))
         last)))

(defn source
  "Returns the location of frame number `:frame` of cause number `:cause` of `:evaluation`: a line of an
  evaluation, or of a file with its text from the top-level form on. nil if it is unknown."
  [{:keys [evaluation cause frame]}]
  (let [error (or (nth (conditions/causes *e) cause nil) (refuse "unknown_handle" "There is no such cause any more."))
        ^StackTraceElement element (or (nth (stack error) frame nil) (refuse "unknown_part" "There is no such frame."))
        line (.getLineNumber element)
        file (when (pos? line) (file-of element evaluation))
        place (places/place file line)]
    (if-let [start (and (:file place) (first-line (places/url-of file) line))]
      (assoc place :start start :text (places/text-from {:file file :line start}))
      place)))
