vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.pnet",
  callback = function()
    vim.bo.filetype = "pnet"
  end,
})
