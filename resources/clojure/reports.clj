;; Tells the harbor what an evaluation loads and tests while it goes on, beside its values and its output: in messages of
;; nREPL that belong to the evaluation's own request.
(ns lisp-harbor.reports
  (:require [lisp-harbor.json :refer [json]]))

(def ^:private nrepls
  "The message that is evaluated, and how one is sent, in nREPL as it is and as it was before it had its own name."
  '{nrepl.middleware.interruptible-eval/*msg* nrepl.transport/send
    clojure.tools.nrepl.middleware.interruptible-eval/*msg* clojure.tools.nrepl.transport/send})

(defn- existing [named]
  (when (find-ns (symbol (namespace named)))
    (some-> (find-var named) deref)))

(defn tell
  "`event` is a keyword, `data` a map. Told to nobody where no harbor asked for the evaluation."
  [event data]
  (doseq [[message send] nrepls
          :let [{:keys [id session transport]} (existing message)]
          :when transport]
    ((existing send) transport {:id id
                                :session (:id (meta session))
                                :lisp-harbor (json (assoc data :event event))})))
