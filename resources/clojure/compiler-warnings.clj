;; Warnings of Clojure's compiler during a load. The compiler prints them as lines to *err*; they are
;; sent to the harbor as data.
(ns lisp-harbor.compiler-warnings
  (:require [clojure.string :as string]
            [lisp-harbor.places :as places]
            [lisp-harbor.reports :refer [tell]])
  (:import (java.io PrintWriter Writer)))

(def ^:private kinds
  [[#"Reflection warning, (.+?):(\d+):(\d+) - (.*)" "note" "reflection"]
   [#"Boxed math warning, (.+?):(\d+):(\d+) - (.*)" "note" "boxed math"]
   [#"(.+?):(\d+)() (recur arg for primitive local: .*)" "note" "recur"]
   [#"()()()WARNING: (.*)" "warning" "warning"]])

(defn- number [digits]
  (when (seq digits) (Long/parseLong digits)))

(defn- warning
  "Returns the warning that a line of *err* contains, or nil for other lines. A file of nil means that the file
  does not exist."
  [line]
  (some (fn [[pattern severity type]]
          (when-let [[_ file at-line at-column message] (re-matches pattern line)]
            {:severity severity
             :type type
             :message message
             :file (some-> (not-empty file) places/url-of places/path-of)
             :line (number at-line)
             :column (number at-column)}))
        kinds))

(defn- of-library? [{:keys [file]}]
  (boolean (some-> file (string/includes? "!/"))))

(defn- take-line
  "Sends the warning in `line`, unless it is about a library. Passes other lines to `out`."
  [line ^Writer out]
  (let [warned (warning (string/trimr line))]
    (cond
      (nil? warned) (.write out ^String line)
      (not (of-library? warned)) (tell :warning warned))))

(defn- text-of
  "Returns the text of the arguments of any arity of a writer's `write`."
  ([written]
   (cond
     (integer? written) (str (char written))
     (string? written) written
     :else (String. ^chars written)))
  ([written offset length]
   (subs (text-of written) offset (+ offset length))))

(defn- watching
  "Returns a writer that checks the text line by line before it passes it to `out`."
  ^Writer [^Writer out]
  (let [begun (StringBuilder.)
        take-lines #(loop []
                      (let [end (.indexOf begun "\n")]
                        (when-not (neg? end)
                          (take-line (subs (str begun) 0 (inc end)) out)
                          (.delete begun 0 (inc end))
                          (recur))))]
    (proxy [Writer] []
      (write
        ([written]
         (.append begun ^String (text-of written))
         (take-lines))
        ([written offset length]
         (.append begun ^String (text-of written offset length))
         (take-lines)))
      (flush [] (.flush out))
      (close []
        (.write out (str begun))
        (.setLength begun 0)
        (.flush out)))))

(defn call-with-warnings
  "Calls `work` and reports the compiler's warnings, including those about reflection."
  [work]
  (let [watched (watching *err*)]
    (try (binding [*err* (PrintWriter. watched true)
                   *warn-on-reflection* true]
           (work))
         (finally (.close watched)))))
