;; Reports to the harbor about loads and tests while an evaluation runs, in addition to its values
;; and output: nREPL messages that belong to the evaluation's request.
(ns lisp-harbor.reports
  (:require [lisp-harbor.json :refer [json]]))

(def ^:private nrepls
  "The message being evaluated, and the function that sends one, in current nREPL and in the version before it
  had its own name."
  '{nrepl.middleware.interruptible-eval/*msg* nrepl.transport/send
    clojure.tools.nrepl.middleware.interruptible-eval/*msg* clojure.tools.nrepl.transport/send})

(defn- existing [named]
  (when (find-ns (symbol (namespace named)))
    (some-> (find-var named) deref)))

(defn tell
  "`event` is a keyword, `data` a map. Sends nothing if the evaluation was not requested by a harbor."
  [event data]
  (doseq [[message send] nrepls
          :let [{:keys [id session transport]} (existing message)]
          :when transport]
    ((existing send) transport {:id id
                                :session (:id (meta session))
                                :lisp-harbor (json (assoc data :event event))})))
