-- Drives pnet in Neovim by its own commands: nvim --clean --headless --cmd 'set runtimepath^=THIS PLUGIN' -c 'luafile
-- drive.lua', with PNET (the program) in the environment. The text is light.pnet in the current folder.

local said = {}
local function check(what, holds, more)
  if not holds then
    io.stderr:write("FAILED  " .. what .. (more and (": " .. tostring(more)) or "") .. "\n")
    vim.cmd("cquit 1")
  end
  table.insert(said, "ok      " .. what)
end
local function wait(what, holds)
  check(what, vim.wait(60000, holds, 20))
end

vim.notify = function(text)
  table.insert(said, "said    " .. text)
  vim.g.said = (vim.g.said or "") .. text .. "\n"
end
require("pnet").setup({ cmd = { vim.env.PNET, "lsp" } })
vim.cmd("filetype plugin on | syntax on")
vim.cmd("edit light.pnet")
check("the file is a model", vim.bo.filetype == "pnet")
local clients = function()
  return vim.lsp.buf_get_clients(0)
end
wait("the server is attached", function()
  local _, client = next(clients())
  return client ~= nil and client.initialized
end)
local problems = function()
  return #vim.diagnostic.get(0)
end
wait("a good text has no problems", function()
  return problems() == 0
end)

-- Colours of words.
local group = vim.fn.synIDattr(vim.fn.synID(3, 1, 1), "name")
check("words have colours", group == "pnetKeyword", group)

-- Diagnostics after an edit and its undo.
vim.cmd([[%s/: go   /: goo  /]])
wait("a mistake is found", function()
  return problems() > 0
end)
check("its message is pnet's", vim.diagnostic.get(0)[1].source == "pnet")
-- The quick fix.
local params = vim.lsp.util.make_range_params()
local problem = vim.diagnostic.get(0)[1]
params.range = {
  start = { line = problem.lnum, character = problem.col },
  ["end"] = { line = problem.lnum, character = problem.col },
}
params.context = { diagnostics = {}, only = { "quickfix" } }
local _, answered = next(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 60000))
check("there is a quick fix", answered.result[1] ~= nil)
vim.lsp.util.apply_workspace_edit(answered.result[1].edit, "utf-16")
wait("which mends it", function()
  return problems() == 0
end)

-- Definition, by its command.
vim.fn.search("sub L = Light")
vim.cmd("normal! $h")
vim.lsp.buf.definition()
wait("definition goes to the process", function()
  return vim.api.nvim_get_current_line():match("^process Light") ~= nil
end)

-- Hover.
local position = vim.lsp.util.make_position_params()
local _, hover = next(vim.lsp.buf_request_sync(0, "textDocument/hover", position, 60000))
check("hovering tells of it", hover.result.contents.value:match("process Light") ~= nil)

-- Rename, by its command.
vim.lsp.buf.rename("Lamp")
wait("rename changes all places", function()
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  return text:match("process Lamp") and text:match("sub L = Lamp") and not text:match("Light[^s]")
end)
wait("and leaves no problem", function()
  return problems() == 0
end)

-- Formatting, by its command.
vim.api.nvim_buf_set_lines(0, 0, 1, false, { "action   go,stop;" })
local format = vim.lsp.buf.format or vim.lsp.buf.formatting_sync
format({ timeout_ms = 60000 }, 60000)
wait("formatting lays it out", function()
  return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == "action go, stop;"
end)

-- Lenses: one is pressed by its command.
vim.lsp.codelens.refresh()
wait("there are lenses", function()
  return #vim.lsp.codelens.get(0) >= 5
end)
vim.fn.search("check always")
local lens = nil
for _, one in ipairs(vim.lsp.codelens.get(0)) do
  if one.range.start.line == vim.fn.line(".") - 1 then
    lens = one
  end
end
check("the check has one", lens ~= nil and lens.command.title == "verify")
vim.cmd("PnetVerify")
wait("verifying tells the verdict", function()
  return (vim.g.said or ""):match("refuted: ") ~= nil
end)
wait("a refuted check is a problem", function()
  local all = vim.diagnostic.get(0)
  return all[1] ~= nil and all[1].code == "refuted"
end)
wait("and the lens says so", function()
  vim.lsp.codelens.refresh()
  for _, one in ipairs(vim.lsp.codelens.get(0)) do
    if one.command and one.command.title == "refuted: show the play" then
      return true
    end
  end
end)
vim.cmd("PnetPlay")
wait("the play is shown in a window", function()
  return vim.api.nvim_buf_get_name(0):match("play.txt$") ~= nil
end)
check("with its steps", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"):match("1%. `go`") ~= nil)
vim.cmd("quit")
vim.cmd("PnetAutomaton")
wait("the automaton is shown", function()
  return vim.api.nvim_buf_get_name(0):match("automaton.txt$") ~= nil
end)
vim.cmd("quit")

-- The end.
local _, client = next(clients())
client.stop()
wait("the server ends", function()
  return client.is_stopped()
end)
io.stdout:write(table.concat(said, "\n") .. "\n")
vim.cmd("qall!")
