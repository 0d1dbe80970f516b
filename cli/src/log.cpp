#include "log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>

#include "terminal.hpp"

namespace eciscope::cli {

void start_log(const CommonOptions& options) {
    const bool colour = look_at(STDERR_FILENO, options.colour).colour;
    const auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_st>(colour ? spdlog::color_mode::always
                                                                                   : spdlog::color_mode::never);
    auto logger = std::make_shared<spdlog::logger>("eciscope", sink);
    logger->set_pattern("%n: %^%l%$: %v");
    logger->set_level(options.quiet ? spdlog::level::err : spdlog::level::info);
    spdlog::set_default_logger(std::move(logger));
}

void log_error(const std::string& text) {
    spdlog::error("{}", text);
}

void log_warning(const std::string& text) {
    spdlog::warn("{}", text);
}

void log_failure(const Failure& failure) {
    if (failure.reader_left) {
        return;
    }
    spdlog::error("{}", failure.what);
    if (!failure.remedy.empty()) {
        spdlog::error("→ {}", failure.remedy);
    }
}

}  // namespace eciscope::cli
