;; What Clojure's compiler warns of while it loads: it prints lines to *err*, which are told to the harbor as data here.
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
  "The warning that a line of *err* is; nil for other lines. nil as its file stands for one that is nowhere."
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
  "Tells what `line` warns of, unless a library is what it warns of; passes others on to `out`."
  [line ^Writer out]
  (let [warned (warning (string/trimr line))]
    (cond
      (nil? warned) (.write out ^String line)
      (not (of-library? warned)) (tell :warning warned))))

(defn- text-of
  "What one of the ways to call a writer's `write` is given."
  ([written]
   (cond
     (integer? written) (str (char written))
     (string? written) written
     :else (String. ^chars written)))
  ([written offset length]
   (subs (text-of written) offset (+ offset length))))

(defn- watching
  "A writer that looks at what is written line by line before `out` gets it."
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
  "Calls `work`; what the compiler warns of meanwhile is told, reflection included."
  [work]
  (let [watched (watching *err*)]
    (try (binding [*err* (PrintWriter. watched true)
                   *warn-on-reflection* true]
           (work))
         (finally (.close watched)))))
