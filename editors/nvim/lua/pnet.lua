-- pnet for Neovim, from 0.7.2 on: starts `pnet lsp`, and has commands for what its lenses do.
--
--   require("pnet").setup({ cmd = { "pnet", "lsp" }, settings = { inlayHints = false, lenses = true } })
--
-- `setup` is only needed where something is to be different.

local M = {}

M.options = {
  cmd = { "pnet", "lsp" },
  -- What docs/editors.md lists: lenses, inlayHints, verifyOnSave, timeout.
  settings = {},
  -- Called with the client and the buffer, for keys.
  on_attach = nil,
}

function M.setup(options)
  M.options = vim.tbl_extend("force", M.options, options or {})
end

-- The same question has another name in newer versions.
local function clients_of(buffer)
  local all = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or vim.lsp.buf_get_clients(buffer)
  local own = {}
  for _, client in pairs(all) do
    if client.name == "pnet" then
      table.insert(own, client)
    end
  end
  return own
end

local function refresh(buffer)
  vim.api.nvim_buf_call(buffer, vim.lsp.codelens.refresh)
end

-- A file is opened beside the text; everything else is for the system.
local function show_document(_, params)
  if not params.external and vim.startswith(params.uri, "file:") then
    vim.cmd("split " .. vim.fn.fnameescape(vim.uri_to_fname(params.uri)))
    vim.cmd("setlocal readonly nomodifiable autoread")
    return { success = true }
  end
  if vim.ui.open then
    vim.ui.open(params.uri)
  else
    vim.fn.jobstart({ vim.fn.has("mac") == 1 and "open" or "xdg-open", params.uri }, { detach = true })
  end
  vim.notify(params.uri)
  return { success = true }
end

local running = {}

function M.attach(buffer)
  if buffer == 0 then
    buffer = vim.api.nvim_get_current_buf()
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  local found = vim.fs and vim.fs.find and vim.fs.find({ ".git" }, { upward = true, path = vim.fs.dirname(name) })[1]
  local root = found and vim.fs.dirname(found) or vim.fn.fnamemodify(name, ":p:h")
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.window = vim.tbl_extend("force", capabilities.window or {}, { showDocument = { support = true } })
  capabilities.workspace = vim.tbl_extend("force", capabilities.workspace or {}, { codeLens = { refreshSupport = true } })
  local id = running[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client({
      name = "pnet",
      cmd = M.options.cmd,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      capabilities = capabilities,
      init_options = M.options.settings,
      settings = { pnet = M.options.settings },
      handlers = {
        ["window/showDocument"] = show_document,
        ["workspace/codeLens/refresh"] = function()
          for _, open in ipairs(vim.lsp.get_buffers_by_client_id(running[root])) do
            refresh(open)
          end
          return vim.NIL
        end,
      },
      on_attach = function(client, attached)
        vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "TextChanged" }, {
          buffer = attached,
          callback = function()
            if #clients_of(attached) > 0 then
              refresh(attached)
            end
          end,
        })
        refresh(attached)
        if M.options.on_attach then
          M.options.on_attach(client, attached)
        end
      end,
    })
    running[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

-- Runs a command of the server; `done` gets what comes of it.
function M.run(command, arguments, done)
  local client = clients_of(0)[1]
  if not client then
    vim.notify("pnet: no language server for this buffer", vim.log.levels.ERROR)
    return
  end
  local all = { vim.uri_from_bufnr(0) }
  vim.list_extend(all, arguments or {})
  client.request("workspace/executeCommand", { command = command, arguments = all }, function(failed, result)
    if failed then
      vim.notify("pnet: " .. failed.message, vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end)
end

-- What stands at the line of the cursor, or after it: its place among the checks.
local function check_here(checks)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local best = nil
  for _, check in ipairs(checks) do
    if check.range.start.line <= line then
      best = check
    end
  end
  return best or checks[1]
end

function M.verify(all)
  local told = function(checks)
    local lines = {}
    for _, check in ipairs(checks) do
      if check.verdict then
        table.insert(lines, check.status .. ": " .. check.text .. " (" .. check.reason .. ")")
      end
    end
    vim.notify(table.concat(lines, "\n"))
  end
  if all then
    return M.run("pnet.verify", {}, told)
  end
  M.run("pnet.checks", {}, function(checks)
    local check = check_here(checks)
    if check then
      M.run("pnet.verify", { check.place, check.text }, function(after)
        told({ after[check.place + 1] })
      end)
    else
      vim.notify("pnet: there is no check here")
    end
  end)
end

function M.play()
  M.run("pnet.checks", {}, function(checks)
    local check = check_here(checks)
    if check then
      M.run("pnet.play", { check.place })
    end
  end)
end

local command = vim.api.nvim_create_user_command
command("PnetVerify", function(given) M.verify(given.bang) end, { bang = true, desc = "verify the check here; with !, all" })
command("PnetPlay", function() M.play() end, { desc = "show the play of the check here" })
for name, what in pairs({ PnetPicture = "pnet.picture", PnetAutomaton = "pnet.automaton", PnetExplore = "pnet.explore" }) do
  command(name, function(given)
    M.run(what, given.args ~= "" and { given.args } or {})
  end, { nargs = "?", desc = what .. " of a net; without a name, the last one" })
end

return M
