-- Neovim's own client of language servers: opens a file, asks about it, evaluates in it, and prints the answers as JSON.
-- Environment: LSP_COMMAND (JSON), LSP_FILE, LSP_ROOT.
local answers = {}

local function wait(condition)
  if not vim.wait(20000, condition, 20) then error('nothing came', 2) end
end

local function main()
  vim.cmd('edit ' .. vim.env.LSP_FILE)
  vim.bo.filetype = 'lisp'
  local messages = {}
  local id = vim.lsp.start_client({
    name = 'lisp_harbor',
    cmd = vim.fn.json_decode(vim.env.LSP_COMMAND),
    root_dir = vim.env.LSP_ROOT,
    flags = { debounce_text_changes = 0 },
    handlers = {
      ['window/showMessage'] = function(_, result) table.insert(messages, result.message) end,
    },
  })
  vim.lsp.buf_attach_client(0, id)
  local client
  wait(function()
    client = vim.lsp.get_client_by_id(id)
    return client and client.initialized
  end)

  local function request(method, line, character, more)
    local params = vim.tbl_extend('force', {
      textDocument = { uri = vim.uri_from_bufnr(0) },
      position = { line = line, character = character },
    }, more or {})
    local answer = client.request_sync(method, params, 60000, 0)
    return answer and (answer.result or answer.err)
  end

  local function command(name, ...)
    return client.request_sync('workspace/executeCommand', { command = name, arguments = { ... } }, 60000, 0)
  end

  local uri = vim.uri_from_bufnr(0)
  answers.definition = request('textDocument/definition', 2, 23)
  answers.loaded = command('lisp-harbor.load', uri)
  answers.hover = request('textDocument/hover', 2, 23)
  answers.completion = request('textDocument/completion', 2, 20)
  -- What is typed and not saved is what is evaluated.
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '(twice 21)', '(error "on purpose")', '(loop)' })
  answers.evaluated = command('lisp-harbor.evaluate', uri, { line = 3, character = 1 })
  answers.failed = command('lisp-harbor.evaluate', uri, { line = 4, character = 1 })
  wait(function() return #vim.diagnostic.get(0) > 0 end)
  answers.diagnostics = vim.tbl_map(function(each) return each.message end, vim.diagnostic.get(0))
  local stopped
  client.request('workspace/executeCommand', {
    command = 'lisp-harbor.evaluate',
    arguments = { uri, { line = 5, character = 1 } },
  }, function(_, result) stopped = result end, 0)
  vim.wait(60000, function()
    if not stopped then command('lisp-harbor.interrupt') end
    return stopped ~= nil
  end, 500)
  answers.stopped = stopped
  answers.messages = messages
  io.stdout:write(vim.fn.json_encode(answers) .. '\n')
  client.stop()
  wait(function() return client.is_stopped() end)
end

local ok, problem = pcall(main)
if not ok then io.stderr:write(tostring(problem) .. '\n' .. vim.fn.json_encode(answers)) end
vim.cmd(ok and 'qall!' or 'cquit!')
