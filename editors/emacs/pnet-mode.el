;;; pnet-mode.el --- Models of communicating components  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.3") (eglot "1.9"))
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; A mode for `.pnet' files.  `M-x eglot' starts the language server,
;; `pnet lsp'; (add-hook 'pnet-mode-hook #'eglot-ensure) starts it by itself.
;; Commands run checks and show what is known of nets.

;;; Code:

(require 'eglot)
(require 'jsonrpc)
(require 'seq)

(defgroup pnet nil
  "Models of communicating components."
  :group 'languages)

(defcustom pnet-program "pnet"
  "The program pnet: a name that is looked for in `exec-path', or a path."
  :type 'string)

(defcustom pnet-settings nil
  "Settings of the language server, a plist such as (:verifyOnSave t)."
  :type 'plist)

;; Words of the language are those of src/syntax/token.rs; a test compares them.
(defconst pnet-keywords
  '("module" "import" "as" "sort" "enum" "data" "fun" "axiom" "const" "action" "interface" "process" "net" "check" "relation" "var" "init" "final" "state" "when" "unless" "do" "sub" "for" "in" "is" "connect" "priority" "forall" "exists" "if" "then" "else" "match" "not" "and" "or" "div" "mod" "true" "false" "tau" "sync" "co" "any" )
  "Words that are reserved everywhere.")

(defconst pnet-words
  '("by" "tracking" "maximal" "always" "reaches" "live" "mutex" "at_most" "decreases" "scenario" "invariant" "reduction" "of" "lts" "quot" "rem" "let" "with" "valid" "assert" "architecture" "rule" "new" "never" "step" "connector" "port" "shows" "on" "up" "down" "property" "holds" "noninterfering" "fair" )
  "Words that are reserved in their places.")

(defvar pnet-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124" table)
    (modify-syntax-entry ?* ". 23bn" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?` "\"" table)
    table))

(defvar pnet-font-lock-keywords
  (list (cons (regexp-opt pnet-keywords 'symbols) 'font-lock-keyword-face)
        (cons (regexp-opt pnet-words 'symbols) 'font-lock-builtin-face)
        '("\\_<\\(?:process\\|net\\|interface\\|enum\\|data\\|sort\\)\\_>[ \t]+\\(\\(?:\\sw\\|\\s_\\)+\\)"
          1 font-lock-type-face)
        '("\\_<fun\\_>[ \t]+\\(\\(?:\\sw\\|\\s_\\)+\\)" 1 font-lock-function-name-face)))

(defun pnet-indent-line ()
  "Indent by the braces around the line; `eglot-format' does the rest."
  (let* ((depth (save-excursion
                  (beginning-of-line)
                  (let ((inside (car (syntax-ppss))))
                    (skip-chars-forward " \t")
                    (if (looking-at "[])}]") (1- inside) inside))))
         (behind (- (current-column) (current-indentation))))
    (indent-line-to (* 4 (max depth 0)))
    (when (> behind 0) (forward-char behind))))

;;;###autoload
(define-derived-mode pnet-mode prog-mode "pnet"
  "A mode for models of communicating components."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "//+[ \t]*")
  (setq-local indent-line-function #'pnet-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(pnet-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.pnet\\'" . pnet-mode))

(defun pnet--contact (&rest _)
  "How to start the language server."
  `(,pnet-program "lsp" :initializationOptions ,(or pnet-settings eglot--{})))

(add-to-list 'eglot-server-programs '(pnet-mode . pnet--contact))

;;;; Commands

(defun pnet--run (command &rest arguments)
  "Run COMMAND of the language server on this buffer, with ARGUMENTS."
  (let ((server (eglot--current-server-or-lose))
        (uri (eglot--path-to-uri buffer-file-name)))
    ;; What was typed last may not have been told yet.
    (eglot--signal-textDocument/didChange)
    (jsonrpc-request server :workspace/executeCommand
                     (list :command command :arguments (vconcat (list uri) arguments))
                     :timeout 86400)))

(defun pnet--check-here ()
  "The check at point, or the last one before it, as the server tells it."
  (let* ((checks (append (pnet--run "pnet.checks") nil))
         (line (1- (line-number-at-pos)))
         (before (seq-filter
                  (lambda (check)
                    (<= (plist-get (plist-get (plist-get check :range) :start) :line) line))
                  checks)))
    (or (car (last before)) (car checks) (user-error "There is no check here"))))

(defun pnet--show (name text)
  "Show TEXT in a buffer called NAME."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))
    (current-buffer)))

(defun pnet--told (check)
  "CHECK with its verdict, in words."
  (format "%s: %s%s" (plist-get check :status) (plist-get check :text)
          (if (plist-get check :reason) (format " (%s)" (plist-get check :reason)) "")))

;;;###autoload
(defun pnet-verify (&optional all)
  "Verify the check at point; with a prefix argument, ALL of the file."
  (interactive "P")
  (if all
      (pnet--show "*pnet checks*" (mapconcat #'pnet--told (pnet--run "pnet.verify") "\n"))
    (let* ((check (pnet--check-here))
           (place (plist-get check :place))
           (after (pnet--run "pnet.verify" place (plist-get check :text))))
      (message "%s" (pnet--told (aref after place))))))

;;;###autoload
(defun pnet-play ()
  "Show what backs the verdict on the check at point: a play, or a run."
  (interactive)
  (let ((check (pnet--check-here)))
    (pnet--show "*pnet play*" (plist-get (pnet--run "pnet.play" (plist-get check :place)) :text))))

(defun pnet--net ()
  "Ask for a net of this buffer."
  (let ((names (mapcar (lambda (net) (plist-get net :name)) (pnet--run "pnet.nets"))))
    (completing-read "Net: " names nil nil nil nil (car (last names)))))

;;;###autoload
(defun pnet-automaton (net)
  "Show the open automaton of NET as rules."
  (interactive (list (pnet--net)))
  (pnet--show "*pnet automaton*" (plist-get (pnet--run "pnet.automaton" net) :text)))

;;;###autoload
(defun pnet-picture (net)
  "Draw NET, and open the picture."
  (interactive (list (pnet--net)))
  (browse-url (plist-get (pnet--run "pnet.picture" net) :uri)))

;;;###autoload
(defun pnet-explore (net)
  "Open the page on which one can walk through NET."
  (interactive (list (pnet--net)))
  (browse-url (plist-get (pnet--run "pnet.explore" net) :uri)))

(provide 'pnet-mode)
;;; pnet-mode.el ends here
